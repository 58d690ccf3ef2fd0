import { describe, expect, it } from 'vitest';
import type { Capabilities } from '../../upstreams/upstream.ts';
import { modelCapabilities } from './model-capabilities.ts';

const everything: Capabilities = {
  generation: true,
  edit: true,
  referenceImagesMax: 16,
  mask: true,
  partialImages: true,
  sizes: 'exact',
  formats: ['png', 'jpeg', 'webp'],
  qualities: ['auto', 'low', 'medium', 'high', 'xhigh', 'max'],
  transparentBackground: true,
};

const little: Capabilities = {
  generation: true,
  edit: false,
  referenceImagesMax: 0,
  mask: false,
  partialImages: false,
  sizes: 'own',
  formats: ['png'],
  qualities: ['medium'],
  transparentBackground: false,
};

describe('a model', () => {
  it('with one upstream can do what that one can', () => {
    expect(of(little)).toEqual({
      operations: ['generation'],
      sizes: ['auto'],
      qualities: ['auto', 'medium'],
      outputFormats: ['png', 'jpeg', 'webp'],
      referenceImagesMax: 0,
      mask: false,
      partialImages: false,
      transparentBackground: false,
    });
  });

  it('with several can do what any of them can', () => {
    const editor = { ...little, generation: false, edit: true, referenceImagesMax: 3, mask: true };
    const painter = { ...little, sizes: 'aspect' as const, qualities: ['high' as const] };
    expect(of(editor, painter)).toEqual({
      operations: ['generation', 'edit'],
      sizes: ['auto', '1024x1024', '1536x1024', '1024x1536'],
      qualities: ['auto', 'medium', 'high'],
      outputFormats: ['png', 'jpeg', 'webp'],
      referenceImagesMax: 3,
      mask: true,
      partialImages: false,
      transparentBackground: false,
    });
  });

  it('takes only the qualities that it is meant to have', () => {
    const plain = modelCapabilities({ extendedQualities: false }, [everything]);
    expect(plain.qualities).toEqual(['auto', 'low', 'medium', 'high']);
    expect(of(everything).qualities).toEqual(everything.qualities);
  });

  it('takes no more reference images than a request may have', () => {
    expect(of({ ...everything, referenceImagesMax: 100 }).referenceImagesMax).toBe(16);
  });

  it('has no mask and no references where it makes no edits, whatever is said of them', () => {
    expect(of({ ...everything, edit: false })).toMatchObject({
      operations: ['generation'],
      referenceImagesMax: 0,
      mask: false,
    });
  });
});

function of(...served: Capabilities[]) {
  return modelCapabilities({ extendedQualities: true }, served);
}
