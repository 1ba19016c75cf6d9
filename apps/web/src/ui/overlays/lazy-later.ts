import { lazy, type ComponentType } from 'react'

/** Leaves network and processor to the first paint. */
const laterMs = 2000

/** A lazy component that is not needed at first. It is loaded soon after, so that it is there when the reader presses something. */
export const lazyLater = <Props>(load: () => Promise<ComponentType<Props>>) => {
  setTimeout(() => void load().catch(() => {}), laterMs)
  return lazy(async () => ({ default: await load() }))
}
