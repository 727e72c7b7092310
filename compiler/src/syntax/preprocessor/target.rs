//! The target of a program's compilation, as far as its text can depend on it: the toolkit and the
//! architecture.

/// The macro that only device code has.
pub(super) const ARCHITECTURE: &str = "__CUDA_ARCH__";

/// The view in which a source is read, as in nvcc's two compilations of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// The host's: `__CUDA_ARCH__` is not defined.
    Host,
    /// The device's: `__CUDA_ARCH__` is the target's architecture.
    Device,
}

/// The releases of CUDA's toolkit that a program may be compiled as if by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Toolkit {
    /// CUDA 11.
    Cuda11,
    /// CUDA 12.
    #[default]
    Cuda12,
    /// CUDA 13.
    Cuda13,
}

impl Toolkit {
    /// The one of a number of the command line.
    pub fn parse(number: &str) -> Option<Toolkit> {
        [Toolkit::Cuda11, Toolkit::Cuda12, Toolkit::Cuda13]
            .into_iter()
            .find(|toolkit| toolkit.number().to_string() == number)
    }

    /// Its number.
    pub fn number(self) -> u32 {
        match self {
            Toolkit::Cuda11 => 11,
            Toolkit::Cuda12 => 12,
            Toolkit::Cuda13 => 13,
        }
    }

    /// The value of `CUDART_VERSION` and the result of `cudaRuntimeGetVersion`.
    pub fn version(self) -> u32 {
        self.number() * 1000
    }

    /// The least architecture that its nvcc compiles for.
    fn least(self) -> u32 {
        match self {
            Toolkit::Cuda11 => 350,
            Toolkit::Cuda12 => 500,
            Toolkit::Cuda13 => 750,
        }
    }
}

/// The target of a program's compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The toolkit, as which `CUDART_VERSION` and the runtime's version show.
    pub toolkit: Toolkit,
    /// The value of `__CUDA_ARCH__` in device code: ten times the compute capability's number, 700
    /// for 7.0.
    pub architecture: u32,
    /// True if the toolkit was requested: use of a removed feature is then an error, and otherwise
    /// a warning.
    pub is_chosen: bool,
}

impl Default for Target {
    fn default() -> Self {
        Target { toolkit: Toolkit::default(), architecture: 700, is_chosen: false }
    }
}

impl Target {
    /// The greatest architecture that can be requested.
    pub const GREATEST: u32 = 1210;

    /// The requested target; without an architecture 700, or the least that the toolkit has.
    ///
    /// # Errors
    /// A sentence with the reason why there is none.
    pub fn new(toolkit: Option<Toolkit>, architecture: Option<u32>) -> Result<Target, String> {
        let is_chosen = toolkit.is_some();
        let toolkit = toolkit.unwrap_or_default();
        let (least, number) = (toolkit.least(), toolkit.number());
        let usual = Target::default().architecture.max(least);
        let architecture = architecture.unwrap_or(usual);
        if !architecture.is_multiple_of(10) || architecture > Self::GREATEST {
            return Err(format!(
                "there is no architecture {architecture}: they are multiples of 10 up to {}, as 700",
                Self::GREATEST
            ));
        }
        if architecture < least {
            return Err(format!("CUDA {number} has no architecture below {least}"));
        }
        Ok(Target { toolkit, architecture, is_chosen })
    }

    /// The compute capability, major and minor.
    pub fn capability(self) -> (u32, u32) {
        (self.architecture / 100, self.architecture / 10 % 10)
    }

    /// The macros of a pass.
    pub(super) fn definitions(self, pass: Pass) -> String {
        let version = format!(
            "#define CUDART_VERSION {}\n#define __CUDACC_VER_MAJOR__ {}\n#define __CUDACC_VER_MINOR__ 0\n\
             #define __CUDACC_VER_BUILD__ 0\n",
            self.toolkit.version(),
            self.toolkit.number()
        );
        match pass {
            Pass::Host => version,
            Pass::Device => format!("{version}#define {ARCHITECTURE} {}\n", self.architecture),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toolkits_have_a_least_architecture() {
        let new = |number: &str, architecture| {
            Target::new(Some(Toolkit::parse(number).unwrap()), Some(architecture))
        };
        assert_eq!(new("12", 860).unwrap().capability(), (8, 6));
        assert_eq!(new("11", 350).unwrap().capability(), (3, 5));
        assert!(new("13", 700).unwrap_err().contains("below 750"));
        assert!(new("12", 705).is_err() && new("12", 5000).is_err());
        assert_eq!(new("13", 1200).unwrap().capability(), (12, 0));
        assert_eq!(Toolkit::parse("10"), None);
        assert_eq!(Target::new(None, None), Ok(Target::default()));
        assert_eq!(Target::new(Some(Toolkit::Cuda13), None).unwrap().architecture, 750);
    }
}
