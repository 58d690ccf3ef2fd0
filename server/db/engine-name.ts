export type EngineName = 'sqlite' | 'postgres';
