//! The spool: frames in the order they were made, in binary, next to the USDA file.
//!
//!   magic, then records: length (u64) | CRC-32 of the content (u32) | content
//!
//! The first record describes the prims (JSON), every other one is a frame: its time (f64), and per prim the
//! topology (u32 count, that many u32; count u32::MAX when unchanged), the points (u32 count, 3 f32 each) and their
//! velocities (likewise; none if they are not known).
//! Little-endian. A record cut short by a kill is recognised by its length or checksum and dropped on resume.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use super::{Prim, topology::Topology};
use crate::export::{ExportError, Snapshot};

const MAGIC: &[u8] = b"sinew usda spool 2\n";
const UNCHANGED: u32 = u32::MAX;
/// Length and checksum before each record.
const RECORD_HEAD: u64 = 12;

#[derive(Debug)]
pub(super) struct Spool {
    path: PathBuf,
    file: File,
    /// Where the next record goes.
    end: u64,
    prims: Vec<Prim>,
    frames: Vec<Frame>,
}

/// Where the parts of a frame are in the file.
#[derive(Debug)]
pub(super) struct Frame {
    pub time: f64,
    record_start: u64,
    /// One per prim.
    pub samples: Vec<Sample>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    /// Present if it differs from the frame before.
    pub topology: Option<Block>,
    pub points: Block,
    /// As many as points, or none.
    pub velocities: Block,
}

/// A run of u32 or of points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    start: u64,
    pub count: u32,
}

impl Spool {
    pub fn create(path: &Path) -> Result<Self, ExportError> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(path)
            .map_err(ExportError::io(path, "create"))?;
        file.write_all(MAGIC).map_err(ExportError::io(path, "write"))?;
        Ok(Self {
            path: path.to_owned(),
            file,
            end: MAGIC.len() as u64,
            prims: Vec::new(),
            frames: Vec::new(),
        })
    }

    pub fn resume(path: &Path, time: f64) -> Result<Self, ExportError> {
        let file =
            OpenOptions::new().read(true).write(true).open(path).map_err(ExportError::io(path, "open"))?;
        let mut spool = Self {
            path: path.to_owned(),
            file,
            end: MAGIC.len() as u64,
            prims: Vec::new(),
            frames: Vec::new(),
        };
        let io_error = ExportError::io(path, "read");
        spool.read_records(time).map_err(|e| match e.kind() {
            io::ErrorKind::InvalidData => ExportError::resume(path, e.to_string()),
            _ => io_error(e),
        })?;
        spool.truncate()?;
        Ok(spool)
    }

    /// Removes the file.
    pub fn remove(self) -> Result<(), ExportError> {
        // Windows removes closed files only.
        drop(self.file);
        fs::remove_file(&self.path).map_err(ExportError::io(&self.path, "remove"))
    }

    pub fn prims(&self) -> &[Prim] {
        &self.prims
    }

    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Starts over with these prims; the spool has no frames.
    pub fn begin(&mut self, prims: Vec<Prim>) -> Result<(), ExportError> {
        self.end = MAGIC.len() as u64;
        self.truncate()?;
        let content = serde_json::to_vec(&prims).expect("names and finite numbers are valid JSON");
        self.append_record(&content)?;
        self.prims = prims;
        Ok(())
    }

    /// Appends a frame. `topologies` are in the order of the prims.
    pub fn append(&mut self, snapshot: &Snapshot, topologies: &mut [Topology]) -> Result<(), ExportError> {
        let mut content = snapshot.time.to_le_bytes().to_vec();
        for topology in topologies.iter() {
            if topology.is_new {
                push_u32(&mut content, topology.numbers.len() as u32);
                for &number in &topology.numbers {
                    push_u32(&mut content, number);
                }
            } else {
                push_u32(&mut content, UNCHANGED);
            }
            let velocity_count = if snapshot.velocities.is_empty() { 0 } else { topology.particles.len() };
            for (values, count) in
                [(snapshot.positions, topology.particles.len()), (snapshot.velocities, velocity_count)]
            {
                push_u32(&mut content, count as u32);
                for &i in &topology.particles[..count] {
                    for value in values[i as usize] {
                        content.extend(value.to_le_bytes());
                    }
                }
            }
        }
        let record_start = self.end;
        let frame = parse_frame(&content, record_start, self.prims.len())
            .expect("a frame made here can be read here");
        self.append_record(&content)?;
        self.frames.push(frame);
        for topology in topologies {
            topology.is_new = false;
        }
        Ok(())
    }

    /// Forgets the frames at and after a time.
    pub fn keep_before(&mut self, time: f64) -> Result<(), ExportError> {
        let kept = self.frames.iter().take_while(|f| f.time < time).count();
        if let Some(first_dropped) = self.frames.get(kept) {
            self.end = first_dropped.record_start;
            self.frames.truncate(kept);
        }
        self.truncate()
    }

    /// The topology of a prim at the last frame, if there is one.
    pub fn last_topology(&mut self, prim: usize) -> Result<Option<Vec<u32>>, ExportError> {
        let block = self.frames.iter().rev().find_map(|frame| frame.samples[prim].topology);
        block.map(|block| self.read_numbers(block)).transpose()
    }

    pub fn read_numbers(&mut self, block: Block) -> Result<Vec<u32>, ExportError> {
        let bytes = self.read_block(block, 4)?;
        let words = bytes.as_chunks::<4>().0.iter();
        Ok(words.map(|&word| u32::from_le_bytes(word)).collect())
    }

    pub fn read_points(&mut self, block: Block) -> Result<Vec<[f32; 3]>, ExportError> {
        let bytes = self.read_block(block, 12)?;
        let words = bytes.as_chunks::<4>().0.iter();
        let values: Vec<f32> = words.map(|&word| f32::from_le_bytes(word)).collect();
        Ok(values.as_chunks::<3>().0.to_vec())
    }

    fn read_block(&mut self, block: Block, item_size: usize) -> Result<Vec<u8>, ExportError> {
        let mut bytes = vec![0; block.count as usize * item_size];
        self.file
            .seek(SeekFrom::Start(block.start))
            .and_then(|_| self.file.read_exact(&mut bytes))
            .map_err(ExportError::io(&self.path, "read"))?;
        Ok(bytes)
    }

    fn append_record(&mut self, content: &[u8]) -> Result<(), ExportError> {
        let mut head = (content.len() as u64).to_le_bytes().to_vec();
        head.extend(crc32fast::hash(content).to_le_bytes());
        let written = self
            .file
            .seek(SeekFrom::Start(self.end))
            .and_then(|_| self.file.write_all(&head))
            .and_then(|()| self.file.write_all(content));
        if let Err(e) = written {
            // The next record would start at `end` anyway; this only gives the space back.
            let _ = self.file.set_len(self.end);
            return Err(ExportError::io(&self.path, "append a frame")(e));
        }
        self.end += RECORD_HEAD + content.len() as u64;
        Ok(())
    }

    fn truncate(&mut self) -> Result<(), ExportError> {
        self.file.set_len(self.end).map_err(ExportError::io(&self.path, "shorten"))
    }

    /// Reads as many whole records as there are, up to `time`.
    fn read_records(&mut self, time: f64) -> io::Result<()> {
        let file_length = self.file.metadata()?.len();
        let mut reader = BufReader::new(&self.file);
        let mut magic = vec![0; MAGIC.len()];
        if reader.read_exact(&mut magic).is_err() || magic != MAGIC {
            return Err(invalid("is not a spool of this version; remove it"));
        }
        while let Some(content) = read_record(&mut reader, file_length - self.end)? {
            let record_start = self.end;
            let record_end = record_start + RECORD_HEAD + content.len() as u64;
            if record_start == MAGIC.len() as u64 {
                self.prims = serde_json::from_slice(&content)
                    .map_err(|e| invalid(&format!("has unreadable bodies ({e}); remove it")))?;
            } else {
                let frame = parse_frame(&content, record_start, self.prims.len())
                    .ok_or_else(|| invalid("has an unreadable frame; remove it"))?;
                if frame.time > time {
                    break;
                }
                self.frames.push(frame);
            }
            self.end = record_end;
        }
        Ok(())
    }
}

fn invalid(problem: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

/// The content of the next record, or nothing if it is not whole. `available` bytes are left in the file.
fn read_record(reader: &mut impl Read, available: u64) -> io::Result<Option<Vec<u8>>> {
    let Some(available) = available.checked_sub(RECORD_HEAD) else {
        return Ok(None);
    };
    let (mut length, mut checksum) = ([0; 8], [0; 4]);
    reader.read_exact(&mut length)?;
    reader.read_exact(&mut checksum)?;
    let length = u64::from_le_bytes(length);
    if length > available {
        return Ok(None);
    }
    let mut content = vec![0; length as usize];
    reader.read_exact(&mut content)?;
    let is_whole = crc32fast::hash(&content) == u32::from_le_bytes(checksum);
    Ok(is_whole.then_some(content))
}

fn push_u32(content: &mut Vec<u8>, value: u32) {
    content.extend(value.to_le_bytes());
}

/// Finds the blocks of a frame, or nothing if the counts do not fit its content.
fn parse_frame(content: &[u8], record_start: u64, prim_count: usize) -> Option<Frame> {
    let mut rest = content;
    let time = f64::from_le_bytes(*rest.split_off(..8)?.first_chunk()?);
    let mut take_block = |item_size: usize| -> Option<Option<Block>> {
        let count = u32::from_le_bytes(*rest.split_off(..4)?.first_chunk()?);
        if count == UNCHANGED {
            return Some(None);
        }
        let offset = content.len() - rest.len();
        rest.split_off(..(count as usize).checked_mul(item_size)?)?;
        let start = record_start + RECORD_HEAD + offset as u64;
        Some(Some(Block { start, count }))
    };
    let mut samples = Vec::new();
    for _ in 0..prim_count {
        samples.push(Sample {
            topology: take_block(4)?,
            points: take_block(12)??,
            velocities: take_block(12)??,
        });
    }
    rest.is_empty().then_some(Frame { time, record_start, samples })
}
