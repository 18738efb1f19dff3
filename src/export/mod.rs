//! Results out: PLY, VTU, USDA, PNG and CSV, each written under a temporary name and renamed when complete.
