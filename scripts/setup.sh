# Shared by demo.sh and test.sh: makes sure that a graphics adapter and, for tests of the window, a display exist, if
# this machine lets us. Mesa's software driver runs on any CPU; Xvfb is a display without a screen.

# Some drivers print an error where this is not set, as in containers.
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-/tmp}"

install() { # what it is, Debian packages…
    local what=$1
    shift
    local sudo=""
    if [ "$(id -u)" != 0 ]; then sudo="sudo -n"; fi
    if command -v apt-get >/dev/null && { [ -z "$sudo" ] || sudo -n true 2>/dev/null; }; then
        echo "installing $what ($*)"
        $sudo apt-get update -qq
        DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "$@"
    else
        echo "install $what; on Debian and Ubuntu: sudo apt-get install $*"
        return 1
    fi
}

has_adapter() { # cargo flags…
    cargo run --quiet "$@" -- info --json | grep -q '"software"'
}

ensure_adapter() { # cargo flags…
    if has_adapter "$@"; then return 0; fi
    echo "no graphics adapter found"
    install "Mesa's software Vulkan driver" mesa-vulkan-drivers || return 1
    has_adapter "$@"
}

# What winit loads at run time on X11; every desktop has them.
x_libraries="libx11-6 libx11-xcb1 libxcursor1 libxi6 libxrandr2 libxkbcommon-x11-0"

ensure_display() {
    if command -v Xvfb >/dev/null && ldconfig -p | grep -q libxkbcommon-x11; then return 0; fi
    install "a display for tests of the window" xvfb $x_libraries
}
