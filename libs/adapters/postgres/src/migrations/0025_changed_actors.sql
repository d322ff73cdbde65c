-- What changed of an actor's records is counted by itself: a list of those that never changed has the others.
create index record_states_actor on answer_evidence.record_states (workspace_id, actor_id_hash, leaf_index)
  where actor_id_hash is not null;
