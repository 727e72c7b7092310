//! The host's vector instructions that evaluate operations. Results do not depend on them, only
//! speed.

/// The host's instructions for vectors, as far as they are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vectors {
    /// AVX2, FMA and the bit counts introduced with them. Only [`Vectors::detect`] sets it, so it
    /// is safe to call code compiled for them.
    avx2: bool,
}

impl Vectors {
    /// The instructions that every host of the architecture has.
    pub const PORTABLE: Vectors = Vectors { avx2: false };

    /// The widest that this host has.
    pub fn detect() -> Vectors {
        #[cfg(target_arch = "x86_64")]
        let avx2 = std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("fma")
            && std::is_x86_feature_detected!("bmi1")
            && std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("lzcnt")
            && std::is_x86_feature_detected!("popcnt");
        #[cfg(not(target_arch = "x86_64"))]
        let avx2 = false;
        Vectors { avx2 }
    }

    /// Returns true if this host was found to have AVX2, FMA, BMI1, BMI2, LZCNT and POPCNT.
    pub fn has_avx2(self) -> bool {
        self.avx2
    }
}

/// Arithmetic that the host has an instruction for once it has FMA.
#[cfg(target_arch = "x86_64")]
pub(crate) mod fused {
    /// `a * b + c`, rounded once.
    #[inline(always)]
    pub(crate) fn fma32(a: f32, b: f32, c: f32) -> f32 {
        a.mul_add(b, c)
    }

    /// `a * b + c`, rounded once.
    #[inline(always)]
    pub(crate) fn fma64(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
}
