import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { addCompressed, readRepository } from './image.ts';
import { type Layout, MEDIA_TYPE } from './layout.ts';
import { packFolder } from './pack-folder.ts';

/** The media types of Helm: helm.sh/docs/topics/registries. */
const CONFIG = 'application/vnd.cncf.helm.config.v1+json';
const CONTENT = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';
const CHART = fileURLToPath(new URL('../../deploy/chart', import.meta.url));

/** Writes the chart as Helm packs it, and as an artefact that a registry takes; the files. */
export async function packChart(layout: Layout, out: string, time: number): Promise<readonly string[]> {
  const chart = parse(await readRepository('deploy/chart/Chart.yaml')) as Readonly<Record<string, string>>;
  const { name = '', version = '', description = '' } = chart;
  const tar = join(out, `${name}-chart.tar`);
  const paths = ['Chart.yaml', 'values.yaml', 'values.schema.json', 'files', 'templates'];
  await packFolder(tar, CHART, [{ paths, time, below: name }]);
  const content = await addCompressed(layout, CONTENT, tar);
  await rm(tar);
  const manifest = await layout.add(
    MEDIA_TYPE.manifest,
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MEDIA_TYPE.manifest,
      config: await layout.add(CONFIG, JSON.stringify(chart)),
      layers: [content],
      annotations: {
        'org.opencontainers.image.title': name,
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.description': description,
        'org.opencontainers.image.created': new Date(time * 1_000).toISOString(),
      },
    }),
  );
  const files = [join(out, `${name}-${version}.tgz`), join(out, `${name}-chart-${version}.oci.tar`)] as const;
  await copyFile(layout.fileOf(content), files[0]);
  await layout.pack(files[1], { ...manifest, annotations: { 'org.opencontainers.image.ref.name': version } });
  return files;
}
