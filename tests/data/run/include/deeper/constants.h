#pragma once
#define FACTOR 3
#ifndef OFFSET
#define OFFSET 100
#endif
