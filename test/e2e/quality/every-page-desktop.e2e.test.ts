/** What every page owes to everybody, at a desk. */
import { describeEveryPage } from '../support/describe-every-page.ts';

describeEveryPage('desktop');
