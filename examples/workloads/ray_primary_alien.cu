// ray_primary_alien: primary rays, in the scene alien: a body of bumps and horns.
//
// Measured in BCC ("RT-PR-AL" in Table 1). The program, what is known of its source and what is characteristic stand
// in ray_bvh.cu.
//
// usage: ray_primary_alien [width] [height]

#define SCENE ALIEN
#include "ray_bvh.cu"
