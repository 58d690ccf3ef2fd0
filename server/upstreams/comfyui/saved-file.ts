/** Pictures that a node wrote to the server's disk, as the server names them. */
import { z } from 'zod';

export interface SavedFile {
  filename: string;
  subfolder: string;
  type: 'output' | 'temp' | 'input';
}

const savedFile = z.object({
  filename: z.string().min(1).max(255),
  subfolder: z.string().max(512).default(''),
  type: z.enum(['output', 'temp', 'input']).default('output'),
});

const nodeOutput = z.object({ images: z.array(z.unknown()) });

/** Of a node's output; empty where it has none, or sends its pictures another way. */
export function savedFilesOf(output: unknown): SavedFile[] {
  const parsed = nodeOutput.safeParse(output);
  if (!parsed.success) return [];
  return parsed.data.images.flatMap((image) => {
    const file = savedFile.safeParse(image);
    return file.success ? [file.data] : [];
  });
}
