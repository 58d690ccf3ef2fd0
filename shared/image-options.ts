/** The closed value lists of an image request's fields (specification, section 2.1). */

export const imageSizes = ['auto', '1024x1024', '1536x1024', '1024x1536'] as const;
export type ImageSize = (typeof imageSizes)[number];

export const imageQualities = ['auto', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type ImageQuality = (typeof imageQualities)[number];

/** Qualities that only models of the 2.5 generation accept. */
export const extendedQualities: readonly ImageQuality[] = ['xhigh', 'max'];

export const imageFormats = ['png', 'jpeg', 'webp'] as const;
export type ImageFormat = (typeof imageFormats)[number];

export const imageBackgrounds = ['auto', 'transparent', 'opaque'] as const;
export type ImageBackground = (typeof imageBackgrounds)[number];

export const inputFidelities = ['low', 'high'] as const;
export type InputFidelity = (typeof inputFidelities)[number];

export const moderations = ['auto', 'low'] as const;
export type Moderation = (typeof moderations)[number];

export const responseFormats = ['b64_json', 'url'] as const;
export type ResponseFormat = (typeof responseFormats)[number];

export const operations = ['generation', 'edit'] as const;
export type Operation = (typeof operations)[number];
