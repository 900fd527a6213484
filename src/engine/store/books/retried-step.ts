/**
 * Step that is retried repeatedly. Of consecutive failures only the first is reported, to keep the log
 * short.
 */
export class RetriedStep {
  private isFailing = false

  /** `message` describes the failure. */
  constructor(
    private readonly message: string,
    private readonly report: (error: unknown) => void,
  ) {}

  succeeded(): void {
    this.isFailing = false
  }

  failed(cause: unknown): void {
    if (this.isFailing) return
    this.isFailing = true
    this.report(new Error(this.message, { cause }))
  }
}
