/**
 * Paths of the repository that a release carries: the server and its packages as they run, the built page, and what
 * operators read. Everything else stays out, also what is new.
 */
const carried = [
  /^(LICENSE|CHANGELOG\.md|SECURITY\.md)$/,
  /^(apps\/bff|packages\/[\w-]+)\/package\.json$/,
  /^(apps\/bff|packages\/[\w-]+)\/src\//,
  /^apps\/web\/dist\//,
  /^apps\/bff\/dist\/guide\//,
  /^deploy\//,
  /^docs\/(operating|configuration|security|local-admin-api)\.md$/,
  /^docs\/(guide|decisions|security)\//,
]

const leftOut = [/\.(test|prove)\.tsx?$/, /\/(testing|simulation)\//, /^packages\/api-types\/src\/earlier-build\.txt$/]

/** Whether a release carries a file of the repository, by its path from the root. */
export const isCarried = (path: string): boolean =>
  carried.some((one) => one.test(path)) && !leftOut.some((one) => one.test(path))

/**
 * What packages bring for those who build with them or read them: types, sources, maps, pages about them, and libraries
 * to link with. Licences stay, whatever they are written in.
 */
const forBuilders = [
  /\.(d\.)?[cm]?tsx?$/,
  /\.(map|flow|tsbuildinfo|a|pc|mk)$/,
  /\.(md|markdown)$/i,
  /\/node_modules\/\.(bin|cache|modules\.yaml|pnpm-workspace-state.*|package-map\.json)(\/|$)/,
  /^node_modules\/\.(bin|cache|modules\.yaml|pnpm-workspace-state.*|package-map\.json)(\/|$)/,
  /^node_modules\/\.pnpm\/lock\.yaml$/,
  // The server reads the sets of icons themselves, and nothing about them.
  /\/@iconify-json\/[\w-]+\/(?!icons\.json$|package\.json$|licen[cs]e)[^/]+$/i,
  // A page takes its fonts as WOFF2.
  /\/katex\/dist\/fonts\/[\w-]+\.(ttf|woff)$/,
  /\/katex\/(src|contrib)\//,
]
const isLicence = (path: string) => /(^|\/)(licen[cs]e|copying|notice)[^/]*$/i.test(path)

/** Whether a release carries a file below a `node_modules`, by its path from the root. */
export const isCarriedFromPackage = (path: string): boolean =>
  !forBuilders.some((one) => one.test(path) && !isLicence(path))
