// Depth of the meshes as a light sees them. Instance 0 is the key light, instance k + 1 the sky direction k.
#import lights

@group(0) @binding(0) var<uniform> lights: Lights;
@group(0) @binding(1) var<storage, read> vertices: array<vec4<f32>>;

@vertex
fn shadow_mesh(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32) -> @builtin(position) vec4<f32> {
    if instance == 0u { return vec4(light_place(lights.key, vertices[vertex].xyz), 1.0); }
    return vec4(light_place(lights.sky[instance - 1u], vertices[vertex].xyz), 1.0);
}
