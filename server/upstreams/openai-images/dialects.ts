import type { Dialect } from './dialect.ts';
import { ark } from './dialects/ark.ts';
import { azure, azureDeployment } from './dialects/azure.ts';
import { deepinfra } from './dialects/deepinfra.ts';
import { localai, ollama, sdServer, sglang, vllmOmni } from './dialects/engines.ts';
import { generic, litellm, newApi } from './dialects/gateways.ts';
import { openai } from './dialects/openai.ts';
import { openrouter } from './dialects/openrouter.ts';
import { recraft } from './dialects/recraft.ts';
import { siliconflow } from './dialects/siliconflow.ts';
import { together } from './dialects/together.ts';
import { xai } from './dialects/xai.ts';
import { zai } from './dialects/zai.ts';

/** Every look-alike, in the order in which they are offered. */
export const dialects: readonly [Dialect, ...Dialect[]] = [
  openai,
  azure,
  azureDeployment,
  xai,
  together,
  deepinfra,
  openrouter,
  ark,
  siliconflow,
  zai,
  recraft,
  litellm,
  newApi,
  vllmOmni,
  sglang,
  localai,
  sdServer,
  ollama,
  generic,
];
