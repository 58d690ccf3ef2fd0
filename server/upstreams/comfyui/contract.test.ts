import { comfyuiSubject } from '../../../test/upstreams/comfyui.ts';
import { describeContract } from '../../../test/upstreams/contract.ts';

describeContract(comfyuiSubject());
