// An overconstrained record of unknown fields: reported once; the graph of connections is valid.
// expect error I001 line 4
package Empty
  record R Length x; function equalityConstraint input R a, b; output Real residue[0];
    algorithm end equalityConstraint; end R;
  connector C R r; end C;
  model Part C a, b; equation Connections.branch(a.r, b.r); end Part;
  model Test Part p, q; equation connect(p.b, q.a); end Test;
end Empty;
