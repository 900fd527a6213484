/** A point at which code waits until the test opens it. */
export interface Gate<T> {
  /** Resolves when code waits at the gate. */
  readonly entered: Promise<void>
  /** Waits for `open`; resolves to its value. */
  enter(): Promise<T>
  open(value: T): void
}

export function gate<T>(): Gate<T> {
  let entering: () => void = () => undefined
  let opening: (value: T) => void = () => undefined
  const entered = new Promise<void>((resolve) => {
    entering = resolve
  })
  const opened = new Promise<T>((resolve) => {
    opening = resolve
  })
  return {
    entered,
    enter: () => {
      entering()
      return opened
    },
    open: (value) => opening(value),
  }
}
