/** What every page owes to everybody, on a phone. */
import { describeEveryPage } from '../support/describe-every-page.ts';

describeEveryPage('phone');
