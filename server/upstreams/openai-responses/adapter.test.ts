import { describeContract } from '../../../test/upstreams/contract.ts';
import { openaiResponsesSubject } from '../../../test/upstreams/openai-responses.ts';

describeContract(openaiResponsesSubject);
