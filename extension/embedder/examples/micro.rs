use std::time::Instant;
fn main() {
    let mut wbuf = vec![0.01f32; 1536*1536+64];
    let xbuf = vec![0.5f32; 1536*256+64];
    let mut y = vec![0.0f32; 1536*256];
    let bias = vec![0.1f32; 1536];
    for &(inp, out, tok) in &[(384,4,6),(384,4,5),(384,4,4),(384,16,6),(384,64,6),(384,64,24),(384,64,216),(384,384,216),(384,384,20),(384,384,18),(384,1536,216),(1536,384,216),(1536,384,20),(1536,384,18),(1536,4,6),(1536,64,6),(3840,4,6)] {
        for off in [0usize, 6] {
            let wo = wbuf.as_ptr().align_offset(64) + off;
            let xo = xbuf.as_ptr().align_offset(64);
            let macs = inp*out*tok;
            let reps = (400_000_000/macs).max(1);
            let mut best = f64::MAX;
            for _ in 0..5 {
                let t = Instant::now();
                for _ in 0..reps {
                    muninn_embedder::linear_bench(&xbuf[xo..xo+inp*tok], &wbuf[wo..wo+inp*out], &bias[..out], &mut y[..out*tok]);
                }
                best = best.min(t.elapsed().as_secs_f64());
            }
            print!("{inp:5} {out:5} {tok:4} off {off}: {:.2} Gvec/s   ", (macs*reps) as f64/16.0/best*1e-9);
        }
        println!();
        wbuf[0]+=0.0;
    }
}
