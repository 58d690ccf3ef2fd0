import { a1111Subject } from '../../../test/upstreams/a1111.ts';
import { describeContract } from '../../../test/upstreams/contract.ts';

describeContract(a1111Subject);

// What differs of an engine that knows no tasks and looks into nobody's queue.
describeContract(
  {
    ...a1111Subject,
    settings: { flavour: 'sd-server' },
    fake: { ...a1111Subject.fake, isCancel: null, acceptsEarly: false },
  },
  'a1111 of stable-diffusion.cpp',
);
