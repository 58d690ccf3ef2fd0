import { describeApi } from '../../support/api.ts';
import { describeStreams } from '../../support/stream-contract.ts';
import { formEdit, jsonEdit } from '../../support/ways-to-ask.ts';

describeApi((api) => {
  describeStreams(api, jsonEdit, 'image_edit');
  describeStreams(api, formEdit, 'image_edit');
});
