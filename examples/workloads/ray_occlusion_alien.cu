// ray_occlusion_alien: primary rays and four occlusion rays a pixel, in the scene alien: a body of bumps and horns.
//
// Measured in BCC ("RT-AO-AL" in Table 1). The program, what is known of its source and what is characteristic stand
// in ray_bvh.cu.
//
// usage: ray_occlusion_alien [width] [height] [occlusion rays a pixel]

#define SCENE ALIEN
#define OCCLUSION_RAYS 4
#include "ray_bvh.cu"
