import { describeContract } from './contract.ts';
import { openaiResponsesSubject } from './openai-responses.ts';
describeContract(openaiResponsesSubject);
