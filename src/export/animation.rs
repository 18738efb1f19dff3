//! Animated PNG files (APNG): every browser plays them, and what cannot shows the first frame.
//!
//!   IHDR sRGB acTL  fcTL IDAT…  fcTL fdAT…  fcTL fdAT…  IEND
//!
//! The number of frames stands before them and is known after them: it is put in when the file is finished. Until then it
//! has a temporary name. PNG specification, third edition (2025), 11.3.8.

use super::png::encode_rgba;
use super::{AtomicFile, ExportError, Image};
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// An animated PNG that is being written.
pub struct Animation {
    path: PathBuf,
    file: AtomicFile,
    output: BufWriter<File>,
    size: [u32; 2],
    frames: u32,
    /// Numbers of the chunks that belong to the animation.
    sequence: u32,
    /// Where the number of frames stands.
    counter: u64,
}

impl Animation {
    /// Begins a file; nothing has its name before [`Animation::finish`].
    pub fn create(path: impl AsRef<Path>) -> Result<Self, ExportError> {
        let path = path.as_ref();
        let file = AtomicFile::create(path)?;
        let output = File::create(file.temporary_path()).map_err(ExportError::io(path, "create"))?;
        let output = BufWriter::new(output);
        let path = path.to_owned();
        Ok(Self { path, file, output, size: [0; 2], frames: 0, sequence: 0, counter: 0 })
    }

    /// Frames so far.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// Adds a picture that is shown for a time [s]. All have the size of the first.
    pub fn add(&mut self, image: &Image, seconds: f64) -> Result<(), ExportError> {
        let size = [image.width, image.height];
        if self.frames > 0 && size != self.size {
            let problem = format!("a frame of {size:?} pixels follows frames of {:?}", self.size);
            return Err(ExportError::content(&self.path, problem));
        }
        self.size = size;
        let bytes = encode_rgba(image)?;
        self.write(&bytes, seconds).map_err(ExportError::io(&self.path, "write"))
    }

    fn write(&mut self, png: &[u8], seconds: f64) -> io::Result<()> {
        if self.frames == 0 {
            self.output.write_all(SIGNATURE)?;
            for (kind, data) in chunks(png).filter(|(kind, _)| *kind == b"IHDR" || *kind == b"sRGB") {
                chunk(&mut self.output, kind, &[data])?;
            }
            self.counter = self.output.stream_position()?;
            chunk(&mut self.output, b"acTL", &[&[0; 8]])?;
        }
        let milliseconds = (1e3 * seconds).round().clamp(1.0, f64::from(u16::MAX)) as u16;
        let [width, height] = self.size.map(u32::to_be_bytes);
        let place = [0; 8];
        let delay = [milliseconds.to_be_bytes(), 1000u16.to_be_bytes()].concat();
        let replace = [0; 2];
        let number = self.next();
        chunk(&mut self.output, b"fcTL", &[&number, &width, &height, &place, &delay, &replace])?;
        for (_, data) in chunks(png).filter(|(kind, _)| *kind == b"IDAT") {
            if self.frames == 0 {
                chunk(&mut self.output, b"IDAT", &[data])?;
            } else {
                let number = self.next();
                chunk(&mut self.output, b"fdAT", &[&number, data])?;
            }
        }
        self.frames += 1;
        Ok(())
    }

    fn next(&mut self) -> [u8; 4] {
        self.sequence += 1;
        (self.sequence - 1).to_be_bytes()
    }

    /// Gives the file its name. A file without frames is no picture and leaves none.
    pub fn finish(mut self) -> Result<(), ExportError> {
        if self.frames == 0 {
            return Err(ExportError::content(&self.path, "no frame was recorded"));
        }
        let mut end = || {
            chunk(&mut self.output, b"IEND", &[])?;
            self.output.seek(SeekFrom::Start(self.counter))?;
            // Played for ever.
            chunk(&mut self.output, b"acTL", &[&self.frames.to_be_bytes(), &[0; 4]])?;
            self.output.flush()
        };
        end().map_err(ExportError::io(&self.path, "write"))?;
        self.file.commit()
    }
}

/// The chunks of a whole PNG file that was written here.
fn chunks(png: &[u8]) -> impl Iterator<Item = (&[u8; 4], &[u8])> {
    let mut rest = png.get(SIGNATURE.len()..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let (kind, after) = after.split_first_chunk::<4>()?;
        let (data, after) = after.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        rest = after.get(4..)?;
        Some((kind, data))
    })
}

/// Length, kind, data and checksum.
fn chunk(output: &mut impl Write, kind: &[u8; 4], data: &[&[u8]]) -> io::Result<()> {
    let length: usize = data.iter().map(|part| part.len()).sum();
    let mut crc = crc32fast::Hasher::new();
    output.write_all(&(length as u32).to_be_bytes())?;
    for part in std::iter::once(&kind[..]).chain(data.iter().copied()) {
        crc.update(part);
        output.write_all(part)?;
    }
    output.write_all(&crc.finalize().to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decoder_reads_every_frame_with_its_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("moving.png");
        let colours = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]];
        let mut animation = Animation::create(&path).unwrap();
        for colour in colours {
            animation.add(&Image::new(40, 30, colour), 0.05).unwrap();
        }
        assert!(animation.add(&Image::new(41, 30, colours[0]), 0.05).is_err());
        assert!(!path.exists());
        animation.finish().unwrap();
        let decoder = png::Decoder::new(std::io::BufReader::new(File::open(&path).unwrap()));
        let mut reader = decoder.read_info().unwrap();
        assert_eq!(reader.info().animation_control().unwrap().num_frames, 3);
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        for colour in colours {
            reader.next_frame(&mut pixels).unwrap();
            assert_eq!(pixels[..4], colour);
            let control = reader.info().frame_control().unwrap();
            assert_eq!((control.delay_num, control.delay_den), (50, 1000));
        }
    }

    #[test]
    fn nothing_recorded_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("empty.png");
        assert!(Animation::create(&path).unwrap().finish().is_err());
        assert!(!path.exists());
    }
}
