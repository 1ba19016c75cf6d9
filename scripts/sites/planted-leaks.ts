import { healthySite, toHost, leaks, type Defect } from '#packages/site-bundle/src/testing/planted-defects.ts'
import { serveSite } from './static-host.ts'

/** Inline parts belong to the page; whatever another host has is refused. */
const policy = "default-src 'self' 'unsafe-inline' data:"

/** Serves one planted leak at a time, or its healthy twin, under a policy that allows its own host only. */
export const servePlantedLeaks = async () => {
  const files = new Map<string, Buffer>()
  const host = await serveSite(files, '', { 'content-security-policy': policy, 'cache-control': 'no-store' })
  const show = (content: Defect['files']) => {
    files.clear()
    for (const [path, text] of Object.entries({ ...healthySite, ...content })) files.set(path, Buffer.from(text))
  }
  return {
    leaks: leaks.map((defect) => ({
      name: defect.name,
      host: toHost(defect.name),
      unseen: defect.unseen,
      plant: () => show(defect.files),
      heal: () => show(defect.twin),
    })),
    page: `${host.url}planted/`,
    close: host.close,
  }
}
