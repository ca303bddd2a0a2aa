// The rules of the OData ABNF 4.01, sections 1 to 3: resource paths, query options, context URL fragments.
// Copyright (c) OASIS Open. The notice stands in `GrammarText.swift`.

extension GrammarText {
    /// Section 1.
    static let paths = #"""
        odataUri = serviceRoot [ odataRelativeUri ]
        serviceRoot = ( "https" / "http" ) "://" host [ ":" port ] "/" *( segment-nz "/" )
        odataRelativeUri = %s"$batch" [ "?" batchOptions ]
          / %s"$entity" "?" entityOptions
          / %s"$entity" "/" optionallyQualifiedEntityTypeName "?" entityCastOptions
          / %s"$metadata" [ "?" metadataOptions ] [ context ]
          / resourcePath [ "?" [ queryOptions ] ]
        resourcePath = entitySetName [ collectionNavigation ]
          / singletonEntity [ singleNavigation ]
          / actionImportCall
          / entityColFunctionImportCall [ collectionNavigation ]
          / entityFunctionImportCall [ singleNavigation ]
          / complexColFunctionImportCall [ complexColPath ]
          / complexFunctionImportCall [ complexPath ]
          / primitiveColFunctionImportCall [ collectionPath ]
          / primitiveFunctionImportCall [ primitivePath ]
          / functionImportCallNoParens [ querySegment ]
          / crossjoin [ querySegment ]
          / %s"$all" [ "/" optionallyQualifiedEntityTypeName ]
        collectionNavigation = collectionNavPath / "/" optionallyQualifiedEntityTypeName [ collectionNavPath ]
        collectionNavPath = keyPredicate [ singleNavigation ]
          / filterInPath [ collectionNavigation ]
          / each [ boundOperation ]
          / boundOperation / count / ref / querySegment
        keyPredicate = simpleKey / compoundKey / keyPathSegments
        simpleKey = OPEN ( parameterAlias / keyPropertyValue ) CLOSE
        compoundKey = OPEN keyValuePair *( COMMA keyValuePair ) CLOSE
        keyValuePair = ( primitiveKeyProperty / keyPropertyAlias ) EQ ( parameterAlias / keyPropertyValue )
        keyPropertyAlias = odataIdentifier
        keyPathSegments = 1*( "/" keyPathLiteral )
        keyPathLiteral = *pchar
        keyPropertyValue = boolean / guid / dateTimeOffsetLiteral / date / timeOfDayLiteral / decimalLiteral
          / sbyteLiteral / byte / int16Literal / int32Literal / int64Literal / stringLiteral / durationLiteral
          / enumLiteral
        singleNavigation = singleNavPath / "/" optionallyQualifiedEntityTypeName [ singleNavPath ]
        singleNavPath = "/" propertyPath / boundOperation / ref / value / querySegment
        propertyPath = entityColNavigationProperty [ collectionNavigation ]
          / entityNavigationProperty [ singleNavigation ]
          / complexColProperty [ complexColPath ]
          / complexProperty [ complexPath ]
          / primitiveColProperty [ collectionPath ]
          / primitiveProperty [ primitivePath ]
          / streamProperty [ boundOperation ]
        collectionPath = count / boundOperation / ordinalIndex / querySegment
        primitivePath = value / boundOperation / querySegment
        complexColPath = collectionPath / "/" optionallyQualifiedComplexTypeName [ collectionPath ]
        complexPath = complexNavPath / "/" optionallyQualifiedComplexTypeName [ complexNavPath ]
        complexNavPath = "/" propertyPath / boundOperation / querySegment
        filterInPath = %s"/$filter" OPEN boolCommonExpr CLOSE
        each = %s"/$each"
        count = %s"/$count"
        ref = %s"/$ref"
        value = %s"/$value"
        querySegment = %s"/$query"
        ordinalIndex = "/" [ "-" ] 1*DIGIT
        boundOperation = "/" ( boundActionCall
          / boundEntityColFunctionCall [ collectionNavigation ]
          / boundEntityFunctionCall [ singleNavigation ]
          / boundComplexColFunctionCall [ complexColPath ]
          / boundComplexFunctionCall [ complexPath ]
          / boundPrimitiveColFunctionCall [ collectionPath ]
          / boundPrimitiveFunctionCall [ primitivePath ]
          / boundFunctionCallNoParens [ querySegment ] )
        actionImportCall = actionImport
        boundActionCall = [ namespace "." ] action
        boundEntityFunctionCall = [ namespace "." ] entityFunction functionParameters
        boundEntityColFunctionCall = [ namespace "." ] entityColFunction functionParameters
        boundComplexFunctionCall = [ namespace "." ] complexFunction functionParameters
        boundComplexColFunctionCall = [ namespace "." ] complexColFunction functionParameters
        boundPrimitiveFunctionCall = [ namespace "." ] primitiveFunction functionParameters
        boundPrimitiveColFunctionCall = [ namespace "." ] primitiveColFunction functionParameters
        boundFunctionCallNoParens = [ namespace "." ] entityFunction
          / [ namespace "." ] entityColFunction
          / [ namespace "." ] complexFunction
          / [ namespace "." ] complexColFunction
          / [ namespace "." ] primitiveFunction
          / [ namespace "." ] primitiveColFunction
        entityFunctionImportCall = entityFunctionImport functionParameters
        entityColFunctionImportCall = entityColFunctionImport functionParameters
        complexFunctionImportCall = complexFunctionImport functionParameters
        complexColFunctionImportCall = complexColFunctionImport functionParameters
        primitiveFunctionImportCall = primitiveFunctionImport functionParameters
        primitiveColFunctionImportCall = primitiveColFunctionImport functionParameters
        functionImportCallNoParens = entityFunctionImport / entityColFunctionImport / complexFunctionImport
          / complexColFunctionImport / primitiveFunctionImport / primitiveColFunctionImport
        functionParameters = OPEN [ BWS functionParameter *( BWS COMMA BWS functionParameter ) ] BWS CLOSE
        functionParameter = parameterName EQ ( parameterAlias / primitiveLiteral )
        parameterName = odataIdentifier
        parameterAlias = AT odataIdentifier
        crossjoin = %s"$crossjoin" OPEN entitySetName *( COMMA entitySetName ) CLOSE
        """#

    /// Section 2.
    static let options = #"""
        queryOptions = queryOption *( "&" queryOption )
        queryOption = systemQueryOption / aliasAndValue / nameAndValue / customQueryOption
        batchOptions = batchOption *( "&" batchOption )
        batchOption = format / customQueryOption
        metadataOptions = metadataOption *( "&" metadataOption )
        metadataOption = format / customQueryOption
        entityOptions = *( entityIdOption "&" ) id *( "&" entityIdOption )
        entityIdOption = format / customQueryOption
        entityCastOptions = *( entityCastOption "&" ) id *( "&" entityCastOption )
        entityCastOption = entityIdOption / expand / select
        id = ( "$id" / "id" ) EQ IRI-in-query
        systemQueryOption = compute / deltatoken / expand / filter / format / id / inlinecount / orderby
          / schemaversion / search / select / skip / skiptoken / top / index
        compute = ( "$compute" / "compute" ) EQ computeItem *( COMMA computeItem )
        computeItem = commonExpr RWS "as" RWS computedProperty
        computedProperty = odataIdentifier
        expand = ( "$expand" / "expand" ) EQ expandItem *( COMMA expandItem )
        expandItem = "$value" / expandPath / optionallyQualifiedEntityTypeName "/" expandPath
        expandPath = ( STAR [ ref / OPEN levels CLOSE ]
          / ( navigationProperty / entityAnnotationInQuery ) [ "/" optionallyQualifiedEntityTypeName ]
            [ ref [ OPEN expandRefOption *( SEMI expandRefOption ) CLOSE ]
            / count [ OPEN expandCountOption *( SEMI expandCountOption ) CLOSE ]
            / OPEN expandOption *( SEMI expandOption ) CLOSE ]
          / ( complexProperty / complexColProperty / optionallyQualifiedComplexTypeName / complexAnnotationInQuery )
            "/" expandPath
          / streamProperty )
        expandCountOption = filter / search
        expandRefOption = expandCountOption / orderby / skip / top / inlinecount
        expandOption = expandRefOption / select / expand / compute / levels / aliasAndValue
        levels = ( "$levels" / "levels" ) EQ ( oneToNine *DIGIT / "max" )
        filter = ( "$filter" / "filter" ) EQ boolCommonExpr
        orderby = ( "$orderby" / "orderby" ) EQ orderbyItem *( COMMA orderbyItem )
        orderbyItem = commonExpr [ RWS ( "asc" / "desc" ) ]
        skip = ( "$skip" / "skip" ) EQ 1*DIGIT
        top = ( "$top" / "top" ) EQ 1*DIGIT
        index = ( "$index" / "index" ) EQ [ "-" ] 1*DIGIT
        format = ( "$format" / "format" ) EQ ( "atom" / "json" / "xml" / 1*pchar "/" 1*pchar )
        inlinecount = ( "$count" / "count" ) EQ boolean
        schemaversion = ( "$schemaversion" / "schemaversion" ) EQ ( STAR / 1*unreserved )
        search = ( "$search" / "search" ) EQ BWS ( searchExpr / searchExpr-incomplete )
        searchExpr = ( searchParenExpr / searchNegateExpr / searchPhrase / searchWord )
          [ searchOrExpr / searchAndExpr ]
        searchParenExpr = OPEN BWS searchExpr BWS CLOSE
        searchNegateExpr = %s"NOT" RWS searchExpr
        searchOrExpr = RWS %s"OR" RWS searchExpr
        searchAndExpr = RWS [ %s"AND" RWS ] searchExpr
        searchPhrase = quotation-mark 1*( qchar-no-AMP-DQUOTE / SP ) quotation-mark
        searchWord = searchChar *( searchChar / SQUOTE )
        searchChar = unreserved / pct-encoded-no-DQUOTE / "!" / "*" / "+" / "," / ":" / "@" / "/" / "?" / "$" / "="
        searchExpr-incomplete = SQUOTE *( SQUOTE-in-string / qchar-no-AMP-SQUOTE / quotation-mark / SP ) SQUOTE
        select = ( "$select" / "select" ) EQ selectItem *( COMMA selectItem )
        selectItem = STAR / allOperationsInSchema / selectProperty / optionallyQualifiedActionName
          / optionallyQualifiedFunctionName
          / ( optionallyQualifiedEntityTypeName / optionallyQualifiedComplexTypeName )
            "/" ( selectProperty / optionallyQualifiedActionName / optionallyQualifiedFunctionName )
        selectProperty = primitiveProperty / primitiveAnnotationInQuery
          / ( primitiveColProperty / primitiveColAnnotationInQuery )
            [ OPEN selectOptionPC *( SEMI selectOptionPC ) CLOSE ]
          / navigationProperty
          / selectPath [ OPEN selectOption *( SEMI selectOption ) CLOSE / "/" selectProperty ]
        selectPath = ( complexProperty / complexColProperty / complexAnnotationInQuery )
          [ "/" optionallyQualifiedComplexTypeName ]
        selectOptionPC = filter / search / inlinecount / orderby / skip / top
        selectOption = selectOptionPC / compute / select / aliasAndValue
        allOperationsInSchema = namespace "." STAR
        optionallyQualifiedActionName = [ namespace "." ] action
        optionallyQualifiedFunctionName = [ namespace "." ] function [ OPEN parameterNames CLOSE ]
        parameterNames = parameterName *( COMMA parameterName )
        deltatoken = "$deltatoken" EQ 1*( qchar-no-AMP )
        skiptoken = "$skiptoken" EQ 1*( qchar-no-AMP )
        aliasAndValue = parameterAlias EQ parameterValue
        nameAndValue = parameterName EQ parameterValue
        parameterValue = arrayOrObject / commonExpr
        customQueryOption = customName [ EQ customValue ]
        customName = qchar-no-AMP-EQ-AT-DOLLAR *( qchar-no-AMP-EQ )
        customValue = *( qchar-no-AMP )
        complexAnnotationInQuery = annotationInQuery
        entityAnnotationInQuery = annotationInQuery
        primitiveAnnotationInQuery = annotationInQuery
        primitiveColAnnotationInQuery = annotationInQuery
        """#

    /// Section 3.
    static let contextURLs = #"""
        context = "#" contextFragment
        contextFragment = %s"Collection($ref)" / %s"$ref"
          / %s"Collection(Edm.EntityType)" / %s"Collection(Edm.ComplexType)"
          / singletonEntity [ navigation *( containmentNavigation ) [ "/" qualifiedEntityTypeName ] ] [ selectList ]
          / qualifiedTypeName [ selectList ]
          / entitySet ( %s"/$deletedEntity" / %s"/$link" / %s"/$deletedLink" )
          / entitySet contextKeyPredicate "/" contextPropertyPath [ selectList ]
          / entitySet [ selectList ] [ %s"/$entity" / %s"/$delta" ]
        entitySet = entitySetName *( containmentNavigation ) [ "/" qualifiedEntityTypeName ]
        containmentNavigation = contextKeyPredicate [ "/" qualifiedEntityTypeName ] navigation
        navigation = *( "/" complexProperty [ "/" qualifiedComplexTypeName ] ) "/" navigationProperty
        contextKeyPredicate = "(" ( contextKeyValue / contextKeyValuePair *( "," contextKeyValuePair ) ) ")"
        contextKeyValuePair = ( primitiveKeyProperty / keyPropertyAlias ) EQ contextKeyValue
        contextKeyValue = boolean / guid / dateTimeOffsetValue / date / timeOfDayValue / decimalValue / sbyteValue
          / byte / int16Value / int32Value / int64Value / stringValue / durationValue / enumValue
        stringValue = %x27 *( %x00-26 / %x27 %x27 / %x28-FF ) %x27
        selectList = "(" [ selectListItem *( "," selectListItem ) ] ")"
        selectListItem = "*" / allOperationsInSchema
          / [ ( qualifiedEntityTypeName / qualifiedComplexTypeName ) "/" ]
            ( qualifiedActionName / qualifiedFunctionName / selectListProperty )
        selectListProperty = primitiveProperty / primitiveColProperty
          / ( navigationProperty / entityAnnotationInFragment ) [ "+" ] [ selectList ]
          / ( complexProperty / complexColProperty / complexAnnotationInFragment )
            [ "/" qualifiedComplexTypeName ] [ "/" selectListProperty ]
        contextPropertyPath = primitiveProperty / primitiveColProperty / complexColProperty
          / complexProperty [ [ "/" qualifiedComplexTypeName ] "/" contextPropertyPath ]
        qualifiedActionName = namespace "." action
        qualifiedFunctionName = namespace "." function [ "(" parameterName *( "," parameterName ) ")" ]
        complexAnnotationInFragment = annotationInFragment
        entityAnnotationInFragment = annotationInFragment
        """#
}
