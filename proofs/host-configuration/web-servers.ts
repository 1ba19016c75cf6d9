import { onEnd } from '#bench/harness/cleanup.ts'
import {
  asRoot,
  hostName,
  nginx,
  replaceOnce,
  startWebServer as startServer,
  writeText,
  type WebServer,
} from '#apps/bff/src/testing/web-server.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'

const apacheModules = [
  'mpm_event',
  'authz_core',
  'dir',
  'mime',
  'rewrite',
  'headers',
  'filter',
  'deflate',
  'alias',
  'include',
]

/** The web servers whose configuration is proved. */
export const webServers: Readonly<Record<'nginx' | 'caddy' | 'apache', WebServer>> = {
  nginx,
  caddy: {
    program: 'caddy',
    package: 'caddy',
    args: (folder, configuration, port) => {
      const text = replaceOnce(configuration, `\n${hostName} {`, `\nhttp://${hostName}:${port} {`)
      return ['run', '--adapter', 'caddyfile', '--config', writeText(folder, 'Caddyfile', `{\n\tadmin off\n}\n${text}`)]
    },
  },
  apache: {
    program: 'apache2',
    package: 'apache2',
    args: (folder, configuration, port) => {
      writeText(folder, 'site.conf', replaceOnce(configuration, 'VirtualHost *:80', `VirtualHost 127.0.0.1:${port}`))
      const modules = apacheModules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
      const text = [
        ...modules,
        `ServerRoot ${folder}`,
        `ServerName ${hostName}`,
        `PidFile ${folder}/apache.pid`,
        `DefaultRuntimeDir ${folder}`,
        `ErrorLog ${folder}/error.log`,
        `Listen 127.0.0.1:${port}`,
        ...(asRoot ? ['User www-data', 'Group www-data'] : []),
        'TypesConfig /etc/mime.types',
        '<Directory />\n  Require all denied\n</Directory>',
        'AddEncoding x-gzip .gz .tgz',
        'AddOutputFilter INCLUDES .shtml',
        'AddHandler cgi-script .php',
        `Include ${folder}/site.conf`,
        '',
      ].join('\n')
      return ['-f', writeText(folder, 'apache.conf', text), '-DFOREGROUND']
    },
  },
}

/** Starts a web server that ends with the proof. Throws with what it printed when it ends, as with an invalid configuration. */
export const startWebServer = async (server: WebServer, configuration: string) => {
  const { port, stop } = await startServer(server, configuration, temporaryFolder())
  return { port, stop: onEnd(stop) }
}
