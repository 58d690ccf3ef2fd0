/** The upstream's model list: the configured workflows, and whether this server can run them. */
import { type ListedModel, UpstreamError } from '../upstream.ts';
import type { ComfyuiServer } from './comfyui-server.ts';
import { comfyuiLimits } from './limits.ts';
import { type ClassInfo, classesOf, lackOf } from './node-classes.ts';
import type { Workflow } from './workflow.ts';

/**
 * A workflow that the server cannot run stays in the list and says why: it is configured, and what
 * is missing can be installed.
 */
export async function listWorkflows(
  server: ComfyuiServer,
  workflows: readonly Workflow[],
  signal: AbortSignal,
): Promise<ListedModel[]> {
  await server.checkReachable(signal);
  const known = new Map<string, ClassInfo | null>();
  for (const name of classesIn(workflows)) {
    const info = await classInfoIfReadable(server, name, signal);
    if (info !== undefined) known.set(name, info);
  }
  return workflows.map((workflow) => {
    const lack = lackOf(workflow, known);
    return {
      upstreamModel: workflow.name,
      description: lack === null ? describe(workflow) : `Not usable: ${lack}`,
    };
  });
}

function classesIn(workflows: readonly Workflow[]): string[] {
  const classes = new Set(workflows.flatMap(({ graph }) => [...classesOf(graph)]));
  return [...classes].slice(0, comfyuiLimits.listedClassesMax);
}

/** Undefined where the answer is too long to be read, as with thousands of model files. */
async function classInfoIfReadable(
  server: ComfyuiServer,
  name: string,
  signal: AbortSignal,
): Promise<ClassInfo | null | undefined> {
  try {
    return await server.classInfo(name, signal);
  } catch (error) {
    if (error instanceof UpstreamError && error.fault === 'protocol') return undefined;
    throw error;
  }
}

function describe({ graph, images, mask }: Workflow): string {
  const count = Object.keys(graph).length;
  const inputs = [
    images.needed === 0 && 'generates',
    images.max > 0 && `edits up to ${images.max} ${images.max === 1 ? 'image' : 'images'}`,
    mask && 'takes a mask',
  ].filter((words) => typeof words === 'string');
  return `Workflow of ${count} nodes: ${inputs.join(', ')}`;
}
