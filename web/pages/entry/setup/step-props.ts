export interface StepProps {
  /** The upstream that this setup connects, once it was saved. */
  upstream: string | undefined;
  onUpstream: (id: string) => void;
  /** Null where there is nothing to go back to. */
  onBack: (() => void) | null;
  onSkip: () => void;
  /** When the step was saved. */
  onDone: () => Promise<void>;
}
