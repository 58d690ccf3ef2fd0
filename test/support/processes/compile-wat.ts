import loadWabt from 'wabt';

/** The WebAssembly that a text makes. */
export async function compileWat(text: string): Promise<Buffer> {
  const wabt = await loadWabt();
  const made = wabt.parseWat('module.wat', text, { simd: true, relaxed_simd: true });
  made.validate();
  return Buffer.from(made.toBinary({}).buffer);
}
