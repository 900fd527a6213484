/** Something that is tried again and again. Of failures in a row only the first is reported, so that a log is not full of them. */
export class RetriedStep {
  private isFailing = false

  /** The message says what could not be done. */
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
