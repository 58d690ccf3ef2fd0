import { useRef } from 'react';
import { fileNameOf } from '../../../../gallery/archive/file-name.ts';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { copyImage, copyText } from '../../../../lib/clipboard.ts';
import { saveFile } from '../../../../lib/save-file.ts';
import { useToast } from '../../../../ui/toast.tsx';
import type { Finished } from '../../../../viewer/finished.ts';
import { replaceContent, withMask } from '../draft/draft.ts';
import { settingsText } from '../draft/orders.ts';
import { useChangeDraft } from '../draft/use-change-draft.ts';
import { readWanted } from '../draft/wanted.ts';
import { focusField } from '../focus-field.ts';
import { usePlayground } from '../playground-context.tsx';
import { readReference } from '../references/read-reference.ts';
import { useIntake } from '../references/reference-intake.tsx';
import { useMaskEditor } from '../references/use-mask-editor.ts';
import { useCost, useShortOfMoney, useStartOrder } from '../settings/use-generate.ts';
import { usePrices } from '../use-prices.ts';
import { orderOfFinished } from './order-of-finished.ts';
import { useDeleteRun } from './use-delete-run.ts';

/** How many the button "Vary" asks for. */
const variations = 3;

/** Everything that can be done with a finished picture. What needs it waits until it is read. */
export function useFinishedActions(finished: Finished, image: Blob | null) {
  const t = useText(playgroundText);
  const { models, gallery } = usePlayground();
  const { change } = useChangeDraft();
  const { refuse } = useIntake();
  const start = useStartOrder();
  const toast = useToast();
  const price = usePrices();
  const shortOfMoney = useShortOfMoney();
  const openMask = useMaskEditor();
  const remove = useDeleteRun(finished);
  const model = models?.find(({ id }) => id === finished.asked.model) ?? null;
  const cost = useCost(model?.is_available ? model.price : null, 1);
  const once = useOneAtATime();
  const { run } = finished;
  const name = image
    ? fileNameOf({
        createdAt: finished.createdAt,
        model: finished.asked.model,
        prompt: finished.asked.prompt,
        traceId: finished.traceId,
        type: image.type,
      })
    : '';

  const attach = async (isFirst: boolean) => {
    if (!image) return null;
    // A model may draw larger than one takes.
    const read = await readReference(new File([image], name, { type: image.type })).catch(
      () => null,
    );
    if (!read) {
      toast({ title: t.notTaken });
      return null;
    }
    if (read.kind !== 'reference') {
      refuse(read);
      return null;
    }
    const { reference } = read;
    change(({ references }) => ({
      references: isFirst ? [reference, ...references] : [...references, reference],
    }));
    return reference;
  };

  return {
    download: () => (image ? saveFile(image, name) : undefined),
    copy: () => {
      if (!image) return;
      copyImage(image).then(
        () => toast({ title: t.actions.copied }),
        () => toast({ title: t.actions.copyFailed }),
      );
    },
    useAsReference: () =>
      once(() =>
        attach(false).then((reference) => {
          if (!reference) return;
          toast({ title: t.addedReference });
          focusField('prompt');
        }),
      ),
    /** Null where masks cannot be used. */
    editMask:
      openMask &&
      (() =>
        once(() =>
          attach(true).then((reference) => {
            if (!reference) return undefined;
            change(({ references }) => ({ references: withMask(references, reference.id, null) }));
            return openMask(reference);
          }),
        )),
    againPrice: cost && price(cost.total),
    againBlocked: cost ? shortOfMoney(cost) : t.reasons.model,
    runAgain: () => {
      if (!cost || shortOfMoney(cost) !== null) return;
      const { unit } = cost;
      once(() =>
        orderOfFinished(finished, gallery).then(
          ({ order, mask, isWhole }) => {
            // Nobody pays for another picture than the one that they look at.
            if (isWhole) start(order, { count: 1, price: unit, mask });
            else toast({ title: t.referencesGone });
          },
          () => toast({ title: t.notTaken }),
        ),
      );
    },
    vary: () => {
      const { prompt, model: id } = finished.asked;
      change((draft) =>
        replaceContent(draft, {
          prompt,
          model: id,
          wanted: { ...readWanted({ ...finished.asked }, draft.wanted), variations },
        }),
      );
      selectPrompt();
    },
    copySettings: () => {
      const partialImages = partialImagesOf(finished);
      copyText(settingsText({ fields: finished.asked, partialImages })).then(
        () => toast({ title: t.settingsCopied }),
        () => toast({ title: t.actions.copyFailed }),
      );
    },
    toggleStar: () => (run ? void gallery.setStarred(run.id, !run.isStarred) : undefined),
    remove,
  };
}

/** What reads the picture or its references first: its button is there meanwhile, and clicked again is one. */
function useOneAtATime(): (work: () => Promise<unknown>) => void {
  const isBusy = useRef(false);
  return (work) => {
    if (isBusy.current) return;
    isBusy.current = true;
    void work().finally(() => {
      isBusy.current = false;
    });
  };
}

function partialImagesOf({ job, run }: Finished): number {
  return job?.order.partialImages ?? run?.partialImages ?? 0;
}

/** After the prompt is there: to be written over. */
function selectPrompt(): void {
  requestAnimationFrame(() => {
    const prompt = document.querySelector<HTMLTextAreaElement>('[data-field="prompt"] textarea');
    prompt?.focus();
    prompt?.select();
  });
}
