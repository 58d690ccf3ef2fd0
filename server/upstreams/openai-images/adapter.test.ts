import { describeContract } from '../../../test/upstreams/contract.ts';
import {
  azureDeploymentSubject,
  localaiSubject,
  openaiSubject,
  xaiSubject,
} from '../../../test/upstreams/openai-images.ts';

describeContract(openaiSubject(), 'OpenAI');
describeContract(azureDeploymentSubject(), 'Azure with deployment URLs');
describeContract(xaiSubject(), 'xAI');
describeContract(localaiSubject(), 'LocalAI');
