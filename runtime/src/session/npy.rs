//! NumPy's `.npy` files (NEP 1, versions 1.0 to 3.0): arrays of numbers in C order.
//!
//! Written here rather than taken from a library: each maintained one depends on a parser
//! generator, for the one line of Python in a header.

use super::scalar::Scalar;

const MAGIC: &[u8] = b"\x93NUMPY";

/// An array as a file holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// The type of its numbers.
    pub scalar: Scalar,
    /// Its extents, the slowest first.
    pub shape: Vec<usize>,
    /// The numbers, little-endian, in C order.
    pub bytes: Vec<u8>,
}

/// Reads a file.
///
/// # Errors
/// A sentence about a fault, or about an unsupported feature.
pub fn read(file: &[u8]) -> Result<Array, String> {
    let rest = file.strip_prefix(MAGIC).ok_or("it is no `.npy` file: it does not start as one")?;
    let (length, rest) = match rest {
        [1, _, a, b, rest @ ..] => (u32::from_le_bytes([*a, *b, 0, 0]), rest),
        [2 | 3, _, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]), rest),
        _ => return Err("its version is none of 1, 2 and 3".to_owned()),
    };
    let (header, data) = rest.split_at_checked(length as usize).ok_or("its header is cut off")?;
    let header = std::str::from_utf8(header).map_err(|_| "its header is not text")?;
    let descr = entry(header, "descr")?;
    let Some(name) = descr.strip_prefix('\'').and_then(|text| text.split('\'').next()) else {
        return Err("it holds structured data; save each field by itself".to_owned());
    };
    let scalar = scalar(name)?;
    if entry(header, "fortran_order")?.starts_with("True") {
        return Err("it is in Fortran order; save `numpy.ascontiguousarray(a)`".to_owned());
    }
    let shape = shape(entry(header, "shape")?)?;
    let count = shape.iter().try_fold(scalar.bytes(), |all, &extent| all.checked_mul(extent));
    let count = count.ok_or("its shape is larger than memory")?;
    let Some(bytes) = data.get(..count) else {
        let (held, wanted) = (data.len(), count);
        return Err(format!("it is cut off: {held} of {wanted} bytes of data"));
    };
    Ok(Array { scalar, shape, bytes: bytes.to_vec() })
}

/// The text after a key of the header's dictionary.
fn entry<'a>(header: &'a str, key: &str) -> Result<&'a str, String> {
    let found = header.split_once(&format!("'{key}'")).map(|(_, after)| after.trim_start());
    let value = found.and_then(|after| after.strip_prefix(':')).map(str::trim_start);
    value.ok_or_else(|| format!("its header has no `{key}`"))
}

fn scalar(name: &str) -> Result<Scalar, String> {
    let (order, kind) = name.split_at_checked(1).unwrap_or(("", name));
    let found = Scalar::ALL.iter().find(|(_, _, descr)| &descr[1..] == kind);
    match (order, found) {
        ("<" | "|" | "=", Some((scalar, ..))) => Ok(*scalar),
        (">", Some((scalar, ..))) if scalar.bytes() == 1 => Ok(*scalar),
        (">", Some(_)) => Err(format!("`{name}` is big-endian; save `a.astype('<{kind}')`")),
        _ => Err(format!("its type `{name}` is not supported")),
    }
}

fn shape(text: &str) -> Result<Vec<usize>, String> {
    let inner = text.strip_prefix('(').and_then(|text| text.split_once(')'));
    let (inner, _) = inner.ok_or("its shape is no tuple")?;
    let extents = inner.split(',').map(str::trim).filter(|extent| !extent.is_empty());
    let number = |extent: &str| extent.parse().map_err(|_| format!("its shape has a `{extent}`"));
    extents.map(number).collect()
}

/// Writes a file, of version 1.0.
pub fn write(array: &Array) -> Vec<u8> {
    let (_, _, descr) = Scalar::ALL[array.scalar as usize];
    let extents: Vec<String> = array.shape.iter().map(usize::to_string).collect();
    let comma = if extents.len() == 1 { "," } else { "" };
    let mut header = format!(
        "{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}{comma}), }}",
        extents.join(", ")
    );
    // The data starts at a multiple of 64 bytes.
    let before = MAGIC.len() + 4;
    while !(before + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut file = MAGIC.to_vec();
    file.extend([1, 0]);
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.bytes());
    file.extend(&array.bytes);
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        for shape in [vec![], vec![6], vec![2, 3], vec![1, 2, 3]] {
            let count: usize = shape.iter().product();
            let bytes = (0..count * 4).map(|byte| byte as u8).collect();
            let array = Array { scalar: Scalar::F32, shape, bytes };
            let file = write(&array);
            assert_eq!(file.len() % 64, count * 4 % 64);
            assert_eq!(read(&file), Ok(array));
        }
    }

    /// `numpy.save` of `numpy.array([1, -2, 300], dtype='i2')`.
    #[test]
    fn what_numpy_writes_is_read() {
        let mut file =
            b"\x93NUMPY\x01\x00v\x00{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }"
                .to_vec();
        file.resize(127, b' ');
        file.push(b'\n');
        file.extend([1, 0, 0xFE, 0xFF, 0x2C, 1]);
        let array = read(&file).unwrap();
        assert_eq!((array.scalar, array.shape), (Scalar::I16, vec![3]));
        assert_eq!(array.bytes, [1, 0, 0xFE, 0xFF, 0x2C, 1]);
    }

    #[test]
    fn faults_are_named() {
        let file = |header: &str| {
            let mut file = b"\x93NUMPY\x01\x00".to_vec();
            file.extend((header.len() as u16).to_le_bytes());
            file.extend(header.bytes());
            read(&file).unwrap_err()
        };
        assert!(read(b"hello").unwrap_err().contains("no `.npy` file"));
        assert!(read(b"\x93NUMPY\x01\x00\xff\xff{").unwrap_err().contains("cut off"));
        assert!(file("{'descr': '>f4'}").contains("big-endian"));
        assert!(file("{'descr': '<c8'}").contains("not supported"));
        assert!(file("{'descr': [('a', '<f4')]}").contains("structured"));
        assert!(file("{'descr': '<f4', 'fortran_order': True}").contains("Fortran"));
        let shape = |shape: &str| {
            file(&format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}"))
        };
        assert!(shape("(3,)").contains("0 of 12 bytes"));
        assert!(shape("(99999999999, 99999999999)").contains("larger than memory"));
        assert!(shape("(x,)").contains("`x`"));
    }
}
