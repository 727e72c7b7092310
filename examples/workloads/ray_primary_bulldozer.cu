// ray_primary_bulldozer: primary rays, in the scene bulldozer: a bulldozer of boxes.
//
// Measured in BCC ("RT-PR-BL" in Table 1). The program, what is known of its source and what is characteristic stand
// in ray_bvh.cu.
//
// usage: ray_primary_bulldozer [width] [height]

#define SCENE BULLDOZER
#include "ray_bvh.cu"
