import { Link } from '@tanstack/react-router';
import { anyUuid } from '@answer-evidence/contracts';
import { PlainText } from './plain-text.tsx';

/** The id of a record as the way to its page; what is no id leads nowhere. */
export function RecordLink({ id }: { readonly id: string }) {
  if (!anyUuid.safeParse(id).success) return <PlainText text={id} />;
  return (
    <Link to="/records/$recordId" params={{ recordId: id }} className="mono">
      {id}
    </Link>
  );
}
