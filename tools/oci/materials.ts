import { readSbom } from '../supply-chain/read-sbom.ts';

/** The list of dpkg in an image of Debian. */
export const DPKG_STATUS = 'var/lib/dpkg/status';

/**
 * The bill of materials of an image: the packages of the lock file, and those of Debian in its base. CycloneDX 1.5, as
 * `npm run sbom` prints it.
 */
export function listMaterials(dpkgStatus: string | undefined): object {
  const sbom = readSbom();
  return { ...sbom, components: [...sbom.components, ...parseDpkgStatus(dpkgStatus ?? '')] };
}

function parseDpkgStatus(text: string): readonly object[] {
  return text.split('\n\n').flatMap((paragraph) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(paragraph)?.[1] ?? '';
    const [name, version] = [field('Package'), field('Version')];
    if (name === '' || !field('Status').endsWith(' installed')) return [];
    const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${field('Architecture')}`;
    return [{ type: 'library', 'bom-ref': purl, name, version, purl }];
  });
}
