# Shared by demo.sh and test.sh: makes sure that some graphics adapter exists, if this machine lets us.
# Pictures and GPU tests need one; Mesa's software driver runs on any CPU.

package=mesa-vulkan-drivers
# Some drivers print an error where this is not set, as in containers.
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-/tmp}"

has_adapter() { # cargo flags…
    cargo run --quiet "$@" -- info --json | grep -q '"software"'
}

ensure_adapter() { # cargo flags…
    if has_adapter "$@"; then return 0; fi
    echo "no graphics adapter found"
    local sudo=""
    if [ "$(id -u)" != 0 ]; then sudo="sudo -n"; fi
    if command -v apt-get >/dev/null && { [ -z "$sudo" ] || sudo -n true 2>/dev/null; }; then
        echo "installing Mesa's software Vulkan driver ($package)"
        $sudo apt-get update -qq
        DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $package
    else
        echo "install a Vulkan driver; on Debian and Ubuntu: sudo apt-get install $package"
        return 1
    fi
    has_adapter "$@"
}
