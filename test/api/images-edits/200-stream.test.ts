import { describeApi } from '../../support/callers/api.ts';
import { describeStreams } from '../../support/callers/stream-contract.ts';
import { formEdit, jsonEdit } from '../../support/callers/ways-to-ask.ts';

describeApi((api) => {
  describeStreams(api, jsonEdit, 'image_edit');
  describeStreams(api, formEdit, 'image_edit');
});
