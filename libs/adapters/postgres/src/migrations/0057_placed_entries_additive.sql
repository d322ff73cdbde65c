-- What a trigger calls has to be wherever the rows of its table are. The place of an entry was found by a function of its own, which
-- Citus does not send along with the trigger, since nothing of the catalogue says that the trigger calls it.
create or replace function answer_evidence.place_workspace_entry() returns trigger language plpgsql as $$
begin
  -- An entry without a leaf is damage, which the ledger check reports.
  new.leaf_index := coalesce((select l.leaf_index from answer_evidence.ledger_leaves l
    where l.workspace_id = new.workspace_id and l.id = new.id
      and l.subject = case when new.type in ('genesis', 'epoch_opened') then new.id else new.workspace_id end), -1);
  return new;
end $$;

-- Nothing calls it any more.
drop function answer_evidence.leaf_of_workspace_entry(uuid, uuid, text);
