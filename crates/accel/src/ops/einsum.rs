use crate::kernels::Kernels;
use crate::ops::error::Error;
use crate::ops::finite::{all_finite, check_finite};
use std::borrow::Cow;

/// An array of several dimensions, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// The size of each dimension.
    pub shape: Vec<usize>,
    /// As many as the product of the sizes.
    pub values: Vec<f32>,
}

/// An operand: the letters' strides are of its values.
struct Operand<'a> {
    values: &'a [f32],
    axes: Vec<Axis>,
}

#[derive(Clone, Copy)]
struct Axis {
    letter: char,
    size: usize,
    stride: usize,
}

/// The most elements of a result, 1 GiB.
const RESULT_MAX: usize = 1 << 28;

/// Rows of the first operand that all rows of the second meet before the next ones are read, in bytes.
const BLOCK_BYTES: usize = 1 << 17;

/// Einstein summation over two operands, as `einsum("bd,nd->bn", ...)`: a letter for every dimension, letters
/// that the result lacks are summed over. A letter twice in one operand means its diagonal. Sums are in
/// float32; one that is too large for it is refused, as what is not finite is in the operands.
pub fn einsum(
    spec: &str,
    (values_a, shape_a): (&[f32], &[usize]),
    (values_b, shape_b): (&[f32], &[usize]),
) -> Result<Tensor, Error> {
    let (operands, result) = spec.split_once("->").ok_or_else(|| malformed(spec))?;
    let (letters_a, letters_b) = operands.split_once(',').ok_or_else(|| malformed(spec))?;
    if [letters_a, letters_b, result].iter().any(|letters| !letters.chars().all(|c| c.is_ascii_alphabetic()))
    {
        return Err(malformed(spec));
    }
    let a = Operand::read(letters_a, values_a, shape_a)?;
    let b = Operand::read(letters_b, values_b, shape_b)?;
    for axis in &a.axes {
        if let Some(other) = b.axis(axis.letter).filter(|other| other.size != axis.size) {
            return Err(unequal(axis.letter, axis.size, other.size));
        }
    }
    let mut seen = String::new();
    for letter in result.chars() {
        if seen.contains(letter) || a.axis(letter).or(b.axis(letter)).is_none() {
            return Err(Error::Einsum(format!(
                "the result's '{letter}' must be in an operand, and once in the result"
            )));
        }
        seen.push(letter);
    }

    let kept = |axis: &&Axis| result.contains(axis.letter);
    let (shared, only_a): (Vec<Axis>, Vec<Axis>) =
        a.axes.iter().partition(|axis| b.axis(axis.letter).is_some());
    let batch: Vec<Axis> = shared.iter().filter(kept).copied().collect();
    let summed: Vec<Axis> = shared.iter().filter(|axis| !kept(axis)).copied().collect();
    let rows_a: Vec<Axis> = only_a.iter().filter(kept).copied().collect();
    let rows_b: Vec<Axis> =
        b.axes.iter().filter(|axis| a.axis(axis.letter).is_none()).filter(kept).copied().collect();

    let shape = [batch.as_slice(), &rows_a, &rows_b].concat();
    let elements = shape.iter().try_fold(1usize, |product, axis| product.checked_mul(axis.size));
    let Some(elements) = elements.filter(|&elements| elements <= RESULT_MAX) else {
        return Err(Error::Einsum(format!("the result would have more than {RESULT_MAX} elements")));
    };
    if elements == 0 || values_a.is_empty() || values_b.is_empty() {
        // A size of 0 lets the other sizes be of any length.
        let sizes = result.chars().filter_map(|letter| a.axis(letter).or(b.axis(letter)));
        return Ok(Tensor { shape: sizes.map(|axis| axis.size).collect(), values: vec![0.0; elements] });
    }
    // Both operands as batches of rows, so that every element of the result is a product of two rows.
    let packed_a = a.pack(&[batch.as_slice(), &rows_a, &summed].concat());
    let packed_b = b.pack(&[batch.as_slice(), &rows_b, &summed].concat());
    let (m, n, length) = (count(&rows_a), count(&rows_b), count(&summed));
    let (product, finite) = multiply(&packed_a, &packed_b, count(&batch), m, n, length);
    if !finite {
        check_finite("first operand", values_a)?;
        check_finite("second operand", values_b)?;
        check_finite("result", &product)?;
    }

    let order: String = shape.iter().map(|axis| axis.letter).collect();
    let sizes: Vec<usize> = shape.iter().map(|axis| axis.size).collect();
    if order == result {
        return Ok(Tensor { shape: sizes, values: product });
    }
    let product = Operand::read(&order, &product, &sizes)?;
    let axes: Vec<Axis> = result.chars().filter_map(|letter| product.axis(letter)).collect();
    let values = product.pack(&axes).into_owned();
    Ok(Tensor { shape: axes.iter().map(|axis| axis.size).collect(), values })
}

/// Per batch, every row of `a` with every row of `b`, and whether all products are finite: looked at block by block,
/// while they are in the cache.
fn multiply(a: &[f32], b: &[f32], batch: usize, m: usize, n: usize, length: usize) -> (Vec<f32>, bool) {
    let kernels = Kernels::widest();
    let mut product = vec![0.0; batch * m * n];
    let mut finite = true;
    if product.is_empty() || length == 0 {
        return (product, finite);
    }
    let block = (BLOCK_BYTES / (4 * length)).max(4);
    for (at, product) in product.chunks_exact_mut(m * n).enumerate() {
        let rows_a = &a[at * m * length..][..m * length];
        let rows_b = &b[at * n * length..][..n * length];
        for (rows_a, out) in rows_a.chunks(block * length).zip(product.chunks_mut(block * n)) {
            kernels.products(rows_b, rows_a, length, out);
            finite &= all_finite(out);
        }
    }
    (product, finite)
}

impl<'a> Operand<'a> {
    fn read(letters: &str, values: &'a [f32], shape: &[usize]) -> Result<Self, Error> {
        if letters.len() != shape.len() {
            return Err(Error::Einsum(format!(
                "'{letters}' names {} dimensions, the operand has {}",
                letters.len(),
                shape.len()
            )));
        }
        let mut axes: Vec<Axis> = Vec::new();
        let mut stride = 1usize;
        for (letter, &size) in letters.chars().rev().zip(shape.iter().rev()) {
            match axes.iter_mut().find(|axis| axis.letter == letter) {
                Some(axis) if axis.size != size => return Err(unequal(letter, axis.size, size)),
                Some(axis) => axis.stride += stride,
                None => axes.push(Axis { letter, size, stride }),
            }
            stride = stride.checked_mul(size).ok_or(Error::TooLarge { dimensions: size, count: stride })?;
        }
        if values.len() != stride {
            return Err(Error::Einsum(format!("an operand of shape {shape:?} has {} values", values.len())));
        }
        axes.reverse();
        Ok(Self { values, axes })
    }

    fn axis(&self, letter: char) -> Option<Axis> {
        self.axes.iter().copied().find(|axis| axis.letter == letter)
    }

    /// The values in the order of `axes`' letters, summed over the operand's other letters.
    fn pack(&self, axes: &[Axis]) -> Cow<'a, [f32]> {
        let kept: Vec<Axis> = axes.iter().filter_map(|axis| self.axis(axis.letter)).collect();
        let dropped: Vec<Axis> = self
            .axes
            .iter()
            .filter(|own| kept.iter().all(|axis| axis.letter != own.letter))
            .copied()
            .collect();
        if self.values.is_empty() {
            return vec![0.0; count(&kept)].into();
        }
        let same_order = kept.iter().zip(&self.axes).all(|(x, y)| x.letter == y.letter);
        if dropped.is_empty() && same_order && count(&kept) == self.values.len() {
            return self.values.into();
        }
        let mut packed = Vec::with_capacity(count(&kept));
        write(self.values, 0, &kept, &dropped, &mut packed);
        packed.into()
    }
}

fn write(values: &[f32], from: usize, kept: &[Axis], dropped: &[Axis], packed: &mut Vec<f32>) {
    match kept.split_first() {
        Some((axis, [])) if dropped.is_empty() => {
            packed.extend((0..axis.size).map(|i| values[from + i * axis.stride]));
        }
        Some((axis, rest)) => {
            (0..axis.size).for_each(|i| write(values, from + i * axis.stride, rest, dropped, packed));
        }
        None => packed.push(total(values, from, dropped) as f32),
    }
}

fn total(values: &[f32], from: usize, dropped: &[Axis]) -> f64 {
    match dropped.split_first() {
        Some((axis, rest)) => (0..axis.size).map(|i| total(values, from + i * axis.stride, rest)).sum(),
        None => f64::from(values[from]),
    }
}

fn count(axes: &[Axis]) -> usize {
    axes.iter().map(|axis| axis.size).product()
}

fn malformed(spec: &str) -> Error {
    Error::Einsum(format!("'{spec}' is not of the form 'ab,bc->ac'"))
}

fn unequal(letter: char, a: usize, b: usize) -> Error {
    Error::Einsum(format!("'{letter}' is {a} and {b} long"))
}
