//! The file of a checkpoint. Little-endian, in this order:
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | magic `sinew\r\n\x1a`: a transfer as text breaks it |
//! | 4 | version of the format, u32 |
//! | 4 | bytes of a real, u32: 4 (f32) or 8 (f64) |
//! | 8 | bytes of the whole file, u64 |
//! | 8 | steps done, u64 |
//! | 8 | time at clock 0 [s], f64 |
//! | 4 | number of entries of the fingerprint, u32 |
//! | 4 | number of columns, u32 |
//! | … | the journal of cuts, see [`journal`] |
//! | … | what a program leads, see [`led`] |
//! | … | each entry: name and value, two texts |
//! | … | each column: its table (or nothing), name and element, three texts; number of scalars, u64; the scalars, reals or u32 |
//! | 4 | CRC-32 (that of zip) of all bytes before, u32 |
//!
//! A text is its length in bytes, u32, and UTF-8. Reals are what the backend holds, so that they come back to the bit.

use super::fingerprint::shorten;
use super::{CheckpointError, FORMAT, Fingerprint, State, StateBuffer, journal, led};
use crate::compute::{Data, Element};
use crate::export::AtomicFile;
use crate::math::Precision;
use crate::scene::Cut;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

const MAGIC: [u8; 8] = *b"sinew\r\n\x1a";
/// Bytes before the first entry.
const HEADER: u64 = 48;
/// Bytes of the checksum.
const CHECKSUM: u64 = 4;
/// Scalars that are converted at a time.
const PIECE: usize = 4096;
/// Steps beyond which a time is no longer exact in f64; no run gets there.
const MOST_STEPS: u64 = 1 << 53;
/// Bytes of a foreign fingerprint that are read in order to say what differs.
pub(super) const MOST_FOREIGN_BYTES: u64 = 1 << 20;

impl Precision {
    /// Bytes of a real.
    fn bytes(self) -> u32 {
        match self {
            Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// Bytes of a scalar in the file.
fn scalar_bytes(element: Element, precision: Precision) -> u64 {
    if element.is_real() { u64::from(precision.bytes()) } else { 4 }
}

/// Bytes of two texts.
fn text_bytes(a: &str, b: &str) -> u64 {
    8 + a.len() as u64 + b.len() as u64
}

/// Bytes of a fingerprint's entries.
fn entry_bytes(fingerprint: &Fingerprint) -> u64 {
    fingerprint.model.iter().map(|(name, value)| text_bytes(name, value)).sum()
}

/// Writes and sums up.
struct Summed<W> {
    to: W,
    crc: crc32fast::Hasher,
}

impl<W: Write> Summed<W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.crc.update(bytes);
        self.to.write_all(bytes)
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        self.put(&(text.len() as u32).to_le_bytes())?;
        self.put(text.as_bytes())
    }

    fn pieces<T>(&mut self, scalars: &[T], encode: impl Fn(&T, &mut Vec<u8>)) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(8 * PIECE);
        for piece in scalars.chunks(PIECE) {
            bytes.clear();
            piece.iter().for_each(|scalar| encode(scalar, &mut bytes));
            self.put(&bytes)?;
        }
        Ok(())
    }
}

pub(super) fn write(path: &Path, state: &State) -> Result<(), CheckpointError> {
    let fingerprint = &state.fingerprint;
    let precision = fingerprint.precision;
    let buffers = fingerprint.buffers.iter().zip(&state.contents).map(|(buffer, data)| {
        let texts = 4 + buffer.table.len() as u64 + text_bytes(&buffer.name, buffer.element.name());
        texts + 8 + data.len() as u64 * scalar_bytes(buffer.element, precision)
    });
    let journal = journal::encode(&state.journal);
    let led = led::encode(&state.led);
    let before = HEADER + (journal.len() + led.len()) as u64;
    let length = before + entry_bytes(fingerprint) + buffers.sum::<u64>() + CHECKSUM;
    AtomicFile::write_with(path, |file| {
        let mut out = Summed { to: file, crc: crc32fast::Hasher::new() };
        out.put(&MAGIC)?;
        out.put(&FORMAT.to_le_bytes())?;
        out.put(&precision.bytes().to_le_bytes())?;
        out.put(&length.to_le_bytes())?;
        out.put(&state.steps.to_le_bytes())?;
        out.put(&state.start.to_le_bytes())?;
        out.put(&(fingerprint.model.len() as u32).to_le_bytes())?;
        out.put(&(fingerprint.buffers.len() as u32).to_le_bytes())?;
        out.put(&journal)?;
        out.put(&led)?;
        for (name, value) in &fingerprint.model {
            out.text(name)?;
            out.text(value)?;
        }
        for (buffer, data) in fingerprint.buffers.iter().zip(&state.contents) {
            out.text(&buffer.table)?;
            out.text(&buffer.name)?;
            out.text(buffer.element.name())?;
            out.put(&(data.len() as u64).to_le_bytes())?;
            match (data, precision) {
                (Data::Reals(v), Precision::F32) => {
                    out.pieces(v, |&x, bytes| bytes.extend((x as f32).to_le_bytes()))?;
                }
                (Data::Reals(v), Precision::F64) => {
                    out.pieces(v, |x, bytes| bytes.extend(x.to_le_bytes()))?
                }
                (Data::Uints(v), _) => out.pieces(v, |x, bytes| bytes.extend(x.to_le_bytes()))?,
            }
        }
        let checksum = out.crc.finalize();
        out.to.write_all(&checksum.to_le_bytes())
    })?;
    Ok(())
}

/// Reads no further than the file's checksum.
pub(super) struct Source<'a> {
    path: &'a Path,
    from: BufReader<File>,
    left: u64,
}

impl Source<'_> {
    pub fn damaged(&self, problem: impl Into<String>) -> CheckpointError {
        CheckpointError::Damaged { path: self.path.into(), problem: problem.into() }
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), CheckpointError> {
        let Some(left) = self.left.checked_sub(bytes.len() as u64) else {
            return Err(self.damaged("its contents end too early"));
        };
        self.from.read_exact(bytes).map_err(failed(self.path, "read"))?;
        self.left = left;
        Ok(())
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], CheckpointError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    pub fn u32(&mut self) -> Result<u32, CheckpointError> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, CheckpointError> {
        self.array().map(u64::from_le_bytes)
    }

    /// A text of at most `most` bytes.
    pub fn text(&mut self, most: u64) -> Result<String, CheckpointError> {
        let length = u64::from(self.u32()?);
        if length > most.min(self.left) {
            return Err(self.damaged(format!("a text of {length} bytes cannot be")));
        }
        let mut bytes = vec![0; length as usize];
        self.fill(&mut bytes)?;
        String::from_utf8(bytes).map_err(|_| self.damaged("a text is not UTF-8"))
    }

    /// Scalars, as many as the file has bytes for.
    fn scalars<T, const N: usize>(
        &mut self,
        count: usize,
        decode: fn([u8; N]) -> T,
    ) -> Result<Vec<T>, CheckpointError> {
        let mut scalars = Vec::with_capacity(count);
        let mut bytes = vec![0; N * PIECE.min(count)];
        while scalars.len() < count {
            let piece = &mut bytes[..N * PIECE.min(count - scalars.len())];
            self.fill(piece)?;
            scalars.extend(piece.as_chunks::<N>().0.iter().map(|&scalar| decode(scalar)));
        }
        Ok(scalars)
    }
}

fn failed<'a>(
    path: &'a Path,
    operation: &'static str,
) -> impl FnOnce(io::Error) -> CheckpointError + use<'a> {
    move |source| CheckpointError::Read { path: path.into(), operation, source }
}

pub(super) fn read(
    path: &Path,
    expected: impl FnOnce(&[Cut]) -> Result<Fingerprint, CheckpointError>,
) -> Result<State, CheckpointError> {
    let mut source = open(path)?;
    let bytes = source.u32()?;
    let [_length, steps] = [source.u64()?, source.u64()?];
    let start = f64::from_le_bytes(source.array()?);
    let [entry_count, buffer_count] = [source.u32()?, source.u32()?];
    let precision = match bytes {
        4 => Precision::F32,
        8 => Precision::F64,
        _ => return Err(source.damaged(format!("its reals have {bytes} bytes"))),
    };
    if steps > MOST_STEPS || !start.is_finite() {
        return Err(source.damaged(format!("it claims {steps} steps from {start} s")));
    }
    let journal = journal::decode(&mut source)?;
    let led = led::decode(&mut source)?;
    let expected = expected(&journal)?;
    let model = entries(&mut source, entry_count, &expected)?;
    // The buffers are compared one by one below, each before memory is taken for it.
    let found = Fingerprint { precision, model, buffers: expected.buffers.clone() };
    let origin = path.display().to_string();
    expected.check(&found, &origin)?;
    if buffer_count as usize != expected.buffers.len() {
        let counts = format!("buffers: {buffer_count} in the state, {} in the scene", expected.buffers.len());
        return Err(CheckpointError::OtherScene { origin, differences: vec![counts] });
    }
    let contents = expected.buffers.iter().map(|buffer| contents(&mut source, buffer, precision));
    let contents = contents.collect::<Result<Vec<_>, _>>()?;
    if source.left > 0 {
        let left = source.left;
        return Err(source.damaged(format!("{left} bytes follow its last buffer")));
    }
    Ok(State { fingerprint: found, journal, led, steps, start, contents })
}

/// Opens a file whose magic, version, length and checksum are right, after the version.
fn open(path: &Path) -> Result<Source<'_>, CheckpointError> {
    let foreign = |problem| CheckpointError::Foreign { path: path.into(), problem };
    // Before opening: to open a pipe may wait for ever.
    let metadata = fs::metadata(path).map_err(failed(path, "open"))?;
    if !metadata.is_file() {
        return Err(foreign("this is a folder or a device"));
    }
    let file = File::open(path).map_err(failed(path, "open"))?;
    let length = file.metadata().map_err(failed(path, "open"))?.len();
    let mut source = Source { path, from: BufReader::with_capacity(1 << 16, file), left: length };
    if length == 0 {
        return Err(foreign("the file is empty"));
    }
    let mut magic = [0; MAGIC.len()];
    let known = MAGIC.len().min(length as usize);
    source.fill(&mut magic[..known])?;
    if magic[..known] != MAGIC[..known] {
        return Err(foreign("the file is something else"));
    }
    if length < HEADER + CHECKSUM {
        return Err(source.damaged(format!("it ends after {length} bytes")));
    }
    let version = source.u32()?;
    if version != FORMAT {
        return Err(CheckpointError::Version { path: path.into(), found: version });
    }
    let _precision = source.u32()?;
    let claimed = source.u64()?;
    if claimed != length {
        return Err(source.damaged(format!("it has {length} bytes where it claims {claimed}")));
    }
    check_sum(&mut source, length)?;
    let after_version = MAGIC.len() as u64 + 4;
    source.from.seek(SeekFrom::Start(after_version)).map_err(failed(path, "read"))?;
    source.left = length - after_version - CHECKSUM;
    Ok(source)
}

/// Sums up the whole file in pieces: nothing is believed before.
fn check_sum(source: &mut Source, length: u64) -> Result<(), CheckpointError> {
    source.from.rewind().map_err(failed(source.path, "read"))?;
    source.left = length;
    let mut crc = crc32fast::Hasher::new();
    let mut piece = vec![0; 1 << 16];
    while source.left > CHECKSUM {
        let size = (source.left - CHECKSUM).min(piece.len() as u64) as usize;
        source.fill(&mut piece[..size])?;
        crc.update(&piece[..size]);
    }
    match source.u32()? == crc.finalize() {
        true => Ok(()),
        false => Err(source.damaged("its checksum does not fit its contents")),
    }
}

/// The fingerprint's entries. Those of the right scene take as much memory as the expected ones.
fn entries(
    source: &mut Source,
    count: u32,
    expected: &Fingerprint,
) -> Result<Vec<(String, String)>, CheckpointError> {
    let most = entry_bytes(expected).max(MOST_FOREIGN_BYTES);
    let end = source.left.saturating_sub(most);
    let mut entries = Vec::new();
    for _ in 0..count {
        let left = source.left.saturating_sub(end);
        if left == 0 {
            return Err(source.damaged(format!("its description exceeds {most} bytes")));
        }
        entries.push((source.text(left)?, source.text(left)?));
    }
    Ok(entries)
}

fn contents(
    source: &mut Source,
    buffer: &StateBuffer,
    precision: Precision,
) -> Result<Data, CheckpointError> {
    let table = source.text(MOST_FOREIGN_BYTES)?;
    let (name, element) = (source.text(MOST_FOREIGN_BYTES)?, source.text(MOST_FOREIGN_BYTES)?);
    let scalars = source.u64()?;
    let known = table == buffer.table && name == buffer.name && element == buffer.element.name();
    if !known || !buffer.holds(scalars) {
        let found = format!("`{}` of {scalars} scalars, `{}`", shorten(&name), shorten(&element));
        let wanted = format!("`{}` of {}, `{}`", buffer.name, buffer.scalars, buffer.element.name());
        return Err(CheckpointError::OtherScene {
            origin: source.path.display().to_string(),
            differences: vec![format!("a buffer is {found} in the state, {wanted} in the scene")],
        });
    }
    // Counted rows take no more memory than the file has bytes.
    if scalars > source.left / scalar_bytes(buffer.element, precision) {
        return Err(source.damaged(format!("`{name}` has no room for its {scalars} scalars")));
    }
    let scalars = scalars as usize;
    Ok(match (buffer.element.is_real(), precision) {
        (true, Precision::F32) => Data::Reals(source.scalars(scalars, |b| f32::from_le_bytes(b).into())?),
        (true, Precision::F64) => Data::Reals(source.scalars(scalars, f64::from_le_bytes)?),
        (false, _) => Data::Uints(source.scalars(scalars, u32::from_le_bytes)?),
    })
}
