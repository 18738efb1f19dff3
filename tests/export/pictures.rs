//! PNG, plots, the colour bar and video.

use std::{fs, process::Command};

use sinew::export::{
    ExportError, Image, Line, Marks, Plot, Reference, Video, VideoOutcome, colour_bar, colour_map,
    encode_png, write_png,
};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn decode(bytes: &[u8]) -> Image {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    // What is opaque has no alpha in the file.
    decoder.set_transformations(png::Transformations::ALPHA);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    pixels.truncate(info.buffer_size());
    assert_eq!(reader.output_color_type().0, png::ColorType::Rgba);
    assert!(reader.info().srgb.is_some());
    Image { width: info.width, height: info.height, pixels }
}

fn gradient(width: u32, height: u32) -> Image {
    let mut image = Image::new(width, height, [0, 0, 0, 255]);
    for (i, pixel) in image.pixels.chunks_exact_mut(4).enumerate() {
        pixel[0] = (i * 7) as u8;
        pixel[1] = (i / 3) as u8;
        pixel[3] = 255 - (i % 5) as u8;
    }
    image
}

#[test]
fn png_reads_back_bit_for_bit() {
    let folder = folder();
    let image = gradient(37, 21);
    let path = folder.path().join("a.png");
    write_png(&path, &image).unwrap();
    assert_eq!(decode(&fs::read(&path).unwrap()), image);
    assert_eq!(decode(&encode_png(&image).unwrap()), image);
    // Without alpha in the file, which is smaller, the same picture.
    let mut opaque = image;
    opaque.pixels.chunks_exact_mut(4).for_each(|pixel| pixel[3] = 255);
    let bytes = encode_png(&opaque).unwrap();
    assert_eq!(
        png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap().info().color_type,
        png::ColorType::Rgb
    );
    assert_eq!(decode(&bytes), opaque);
}

#[test]
fn a_picture_of_the_wrong_size_is_an_error() {
    let mut image = gradient(4, 4);
    image.pixels.pop();
    let error = encode_png(&image).unwrap_err().to_string();
    assert!(error.contains("63 bytes for 4 × 4"), "{error}");
    assert!(encode_png(&Image::new(0, 4, [0; 4])).is_err());
}

#[test]
fn a_plot_shows_its_line_where_its_values_are() {
    let red = [255, 0, 0];
    let plot = Plot {
        y_range: Some([0.0, 10.0]),
        ..Plot::new("", "", "").line(Line::new("", vec![[0.0, 5.0], [1.0, 5.0]]).colour(red))
    };
    let image = plot.render();
    let rows: Vec<u32> =
        (0..image.height).filter(|&y| image.pixel(image.width / 2, y) == [255, 0, 0, 255]).collect();
    assert!(!rows.is_empty() && rows.len() <= 4, "{rows:?}");
    let middle = rows[0] as f32 / image.height as f32;
    assert!((0.4..0.6).contains(&middle), "{middle}");
}

#[test]
fn hostile_numbers_do_not_stop_a_plot() {
    let odd = [0.0, -1.0, 1e308, -1e308, 5e-324, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    let points: Vec<[f64; 2]> = odd.iter().flat_map(|&x| odd.map(|y| [x, y])).collect();
    for marks in [Marks::LineOnly, Marks::LineAndDots, Marks::DotsOnly] {
        let plot = Plot::new("nan 🪢\n", "x", "y")
            .line(Line::new("a", points.clone()).marks(marks).dashed())
            .line(Line::new("none", vec![]))
            .reference(Reference::Horizontal { value: f64::NAN, label: "?".into() });
        plot.clone().render();
        plot.clone().log_x().log_y().render();
        let tiny = Plot { width: 0, height: 1, ..plot };
        assert_eq!((tiny.render().width, tiny.render().height), (160, 120));
    }
}

#[test]
fn the_colour_bar_runs_through_the_map() {
    let mut image = Image::new(640, 400, [20, 30, 40, 255]);
    colour_bar(&mut image, "stretch", "%", 0.0, 5.0);
    for t in [0.01, 0.5, 0.99] {
        let wanted = colour_map(t).map(|c| (c * 255.0).round() as u8);
        let close = |pixel: &[u8]| (0..3).all(|c| pixel[c].abs_diff(wanted[c]) <= 3);
        assert!(image.pixels.chunks_exact(4).any(close), "{t}");
    }
    assert_eq!(image.pixel(0, 0), [20, 30, 40, 255]);
}

#[test]
fn a_colour_bar_fits_on_any_picture_and_range() {
    for (width, height) in [(1, 1), (7, 200), (200, 7)] {
        for (lo, hi) in [(0.0, 0.0), (3.0, -1.0), (f64::NAN, 1.0), (0.0, 1e300)] {
            colour_bar(&mut Image::new(width, height, [0; 4]), "t", "m", lo, hi);
        }
    }
}

/// Frames whose folder and prefix hold everything a shell and a pattern could trip over.
fn frames(folder: &std::path::Path, count: u32, width: u32) -> Video {
    let frames = folder.join("my 100% 'new' frames");
    fs::create_dir(&frames).unwrap();
    for k in 0..count {
        let shade = (k * 20) as u8;
        let image = Image::new(width, 33, [shade, 128, 255 - shade, 255]);
        write_png(frames.join(format!("frame %d {:05}.png", k + 7)), &image).unwrap();
    }
    Video::new(frames, "frame %d ", 12.5, folder.join("a film.mp4"))
}

fn has_ffmpeg() -> bool {
    Command::new("ffmpeg").arg("-version").output().is_ok()
}

#[test]
fn frames_become_a_video_or_a_command_line() {
    let folder = folder();
    let video = frames(folder.path(), 5, 65);
    match video.encode().unwrap() {
        VideoOutcome::Written { frame_count } => {
            assert_eq!(frame_count, 5);
            let bytes = fs::read(&video.output).unwrap();
            assert_eq!(&bytes[4..8], b"ftyp");
        }
        VideoOutcome::NotInstalled { command_line } => {
            assert!(!has_ffmpeg(), "{command_line}");
        }
    }
    let left = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, if has_ffmpeg() { 2 } else { 1 }, "no temporary file stays");
}

#[test]
fn without_ffmpeg_the_command_to_type_is_returned() {
    let folder = folder();
    let mut video = frames(folder.path(), 2, 64);
    video.program = "no-such-ffmpeg".into();
    let VideoOutcome::NotInstalled { command_line } = video.encode().unwrap() else {
        panic!("a program that does not exist ran");
    };
    assert!(command_line.starts_with("no-such-ffmpeg "), "{command_line}");
    assert!(command_line.contains("-start_number 7"), "{command_line}");
    assert!(command_line.contains(r"100%% '\''new'\'' frames/frame %%d %05d.png'"), "{command_line}");
    assert!(command_line.ends_with("a film.mp4'"), "{command_line}");
    assert!(!video.output.exists());
}

#[test]
fn ffmpeg_failing_is_an_error_with_its_words() {
    let folder = folder();
    let video = frames(folder.path(), 2, 64);
    fs::write(video.folder.join("frame %d 00007.png"), "no picture").unwrap();
    fs::write(&video.output, "old").unwrap();
    match video.encode() {
        Err(ExportError::Ffmpeg { last_lines, .. }) => assert!(!last_lines.is_empty()),
        Ok(VideoOutcome::NotInstalled { .. }) => assert!(!has_ffmpeg()),
        other => panic!("{other:?}"),
    }
    assert_eq!(fs::read(&video.output).unwrap(), b"old");
}

#[test]
fn a_missing_frame_is_named() {
    let folder = folder();
    let video = frames(folder.path(), 4, 64);
    fs::remove_file(video.folder.join("frame %d 00009.png")).unwrap();
    let error = video.encode().unwrap_err().to_string();
    assert!(error.contains("`frame %d 00009.png` is missing"), "{error}");
}

#[test]
fn a_folder_without_frames_and_an_impossible_rate_are_errors() {
    let folder = folder();
    let output = folder.path().join("a.mp4");
    let error = Video::new(folder.path(), "f", 10.0, &output).encode();
    assert!(error.unwrap_err().to_string().contains("no frames"));
    for rate in [0.0, -1.0, f64::NAN] {
        assert!(Video::new(folder.path(), "f", rate, &output).encode().is_err());
    }
}
