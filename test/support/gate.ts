/** Holds something until a test lets it go. */
export interface Gate<T> {
  /** Resolves when somebody waits at it. */
  readonly entered: Promise<void>
  /** Waits for `open`; answers what that was given. */
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
