import { blackForestLabsSubject } from '../../../test/upstreams/ai-sdk-black-forest-labs.ts';
import { geminiSubject } from '../../../test/upstreams/ai-sdk-gemini.ts';
import { describeContract } from '../../../test/upstreams/contract.ts';

describeContract(geminiSubject, 'ai-sdk with Gemini');
describeContract(blackForestLabsSubject, 'ai-sdk with Black Forest Labs');
