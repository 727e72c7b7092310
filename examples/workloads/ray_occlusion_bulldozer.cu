// ray_occlusion_bulldozer: primary rays and four occlusion rays a pixel, in the scene bulldozer: a bulldozer of boxes.
//
// Measured in BCC ("RT-AO-BL" in Table 1). The program, what is known of its source and what is characteristic stand
// in ray_bvh.cu.
//
// usage: ray_occlusion_bulldozer [width] [height] [occlusion rays a pixel]

#define SCENE BULLDOZER
#define OCCLUSION_RAYS 4
#include "ray_bvh.cu"
