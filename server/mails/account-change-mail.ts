/** Mails that tell somebody what was changed of how they sign in, or that a recovery code was used: it may have been somebody else. */
import { pages } from '../../shared/console/pages.ts';
import { timeText } from './mail-figures.ts';
import { answerTo, type MailText, paragraphs, rootOf } from './mail-text.ts';
import { type MailWords, mailWords } from './mail-words.ts';
import type { MailPlace, Reader } from './notice-mail.ts';

export interface AccountChange {
  kind: keyof MailWords['accountChange']['kinds'];
  changedAt: number;
}

export function accountChangeText(
  { kind, changedAt }: AccountChange,
  { language, zone }: Reader,
  {
    installationName: service,
    contact,
    publicUrl,
  }: Pick<MailPlace, 'installationName' | 'contact'> & { publicUrl: string },
): MailText {
  const { accountChange: words, ...common } = mailWords[language];
  const time = timeText(changedAt, { language, zone });
  return {
    language,
    subject: words.kinds[kind].subject(service),
    ...answerTo(contact),
    text: paragraphs([
      words.kinds[kind].happened({ service, time }),
      words.known,
      words.unknown,
      rootOf(publicUrl) + pages.login,
      words.afterwards,
      ...(contact === '' ? [] : [common.contact(contact)]),
    ]),
  };
}
