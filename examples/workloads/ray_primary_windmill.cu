// ray_primary_windmill: primary rays, in the scene windmill: a windmill with lattice blades on hills.
//
// Measured in BCC ("RT-PR-WM" in Table 1). The program, what is known of its source and what is characteristic stand
// in ray_bvh.cu.
//
// usage: ray_primary_windmill [width] [height]

#define SCENE WINDMILL
#include "ray_bvh.cu"
