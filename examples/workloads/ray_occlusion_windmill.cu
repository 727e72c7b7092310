// ray_occlusion_windmill: primary rays and four occlusion rays a pixel, in the scene windmill: a windmill with lattice blades on hills.
//
// Measured in BCC ("RT-AO-WM" in Table 1). The program, what is known of its source and what is characteristic stand
// in ray_bvh.cu.
//
// usage: ray_occlusion_windmill [width] [height] [occlusion rays a pixel]

#define SCENE WINDMILL
#define OCCLUSION_RAYS 4
#include "ray_bvh.cu"
